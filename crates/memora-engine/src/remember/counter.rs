//! The report of an import, as it is made.

use std::collections::BTreeMap;

use memora_memory::{RecordFault, clean_line};

use crate::remember::error::{ImportError, MemoryError};
use crate::report::{ImportReport, MemoryCount, UnreadableRecord};

/// How many records that could not be read are named.
const FAULTS_MAX: usize = 20;

/// The report as it is made.
#[derive(Default)]
pub(crate) struct Counter {
    pub(super) report: ImportReport,
    pub(super) refused: BTreeMap<&'static str, usize>,
}

impl Counter {
    pub(super) fn refuse(&mut self, reason: &'static str) {
        *self.refused.entry(reason).or_default() += 1;
    }

    /// Counts a record that cannot be written as refused, and passes on what ends the import.
    pub(super) fn pass_record(&mut self, done: Result<(), MemoryError>) -> Result<(), ImportError> {
        match done {
            Err(error) => match error.refusal_of_record() {
                Some(reason) => {
                    self.refuse(reason);
                    Ok(())
                }
                None => Err(error.into()),
            },
            Ok(()) => Ok(()),
        }
    }

    pub(super) fn count_fault(&mut self, file: &str, record: usize, reason: RecordFault) {
        self.report.unreadable += 1;
        if self.report.faults.len() < FAULTS_MAX {
            self.report.faults.push(UnreadableRecord { file: clean_line(file), record, reason });
        }
    }

    pub(super) fn into_report(self) -> ImportReport {
        let refused = self.refused.into_iter().map(|(name, count)| MemoryCount { name: name.to_owned(), count });
        ImportReport { refused: refused.collect(), ..self.report }
    }
}
