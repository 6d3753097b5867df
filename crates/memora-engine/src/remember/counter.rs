//! The report of an import, as it is made.

use std::collections::BTreeMap;

use memora_memory::{RecordFault, clean_line};

use crate::remember::error::{ImportError, MemoryError};
use crate::report::{ImportReport, MemoryCount, UnreadableRecord};

/// How many records that could not be read are named.
const FAULTS_MAX: usize = 20;

/// What became of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Imported {
    /// This import met it before: the same words twice in one export are one record.
    Met,
    Saved,
    /// The same, and it waits for the user.
    Held,
    Updated,
    Already,
    Known,
    Refused(&'static str),
}

/// The report as it is made.
#[derive(Default)]
pub(crate) struct Counter {
    pub(super) report: ImportReport,
    refused: BTreeMap<&'static str, usize>,
}

impl Counter {
    /// Counts what became of a record, and passes on what ends the import.
    pub(super) fn count(&mut self, done: Result<Imported, MemoryError>) -> Result<(), ImportError> {
        let done = match done {
            Ok(Imported::Met) => return Ok(()),
            Ok(done) => done,
            Err(error) => match error.refusal_of_record() {
                Some(reason) => Imported::Refused(reason),
                None => return Err(error.into()),
            },
        };
        let report = &mut self.report;
        report.records += 1;
        report.held += usize::from(done == Imported::Held);
        match done {
            Imported::Saved | Imported::Held => report.saved += 1,
            Imported::Updated => report.updated += 1,
            Imported::Already => report.already += 1,
            Imported::Known => report.known += 1,
            Imported::Refused(reason) => *self.refused.entry(reason).or_default() += 1,
            Imported::Met => {}
        }
        Ok(())
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
