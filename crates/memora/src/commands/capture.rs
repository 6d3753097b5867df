//! `memora capture`: a new note, if what it cites bears it out.

use memora_engine::{Band, CaptureError, CaptureRequest, Door, Memora};

use super::{catch_up, say_withheld, text};
use crate::args::{BandWord, Capture};
use crate::failure::{Failure, Outcome};
use crate::print;
use crate::ui::Ui;

pub(super) fn capture<D: Door>(memora: &mut Memora, args: &Capture, door: D, ui: &Ui) -> Result<Outcome, Failure> {
    let capturing = CaptureRequest {
        title: args.title.clone(),
        text: text::read(args.file.as_deref(), "capture")?,
        folder: args.folder.clone(),
        by: args.by.clone(),
        band: match args.privacy {
            None => Band::Public,
            Some(BandWord::Private) => Band::Private,
            Some(BandWord::Secret) => Band::Secret,
        },
        at: memora.config().today.to_datetime(jiff::Zoned::now().time()),
    };
    let freshness = catch_up(memora, ui)?;
    let report = memora.session(door.clone())?.captures().capture_text(&capturing, freshness)?;
    ui.report(&report, print::captured)?;
    if report.path.is_none() {
        ui.hint("nothing was written; memora search and memora claims show ids, memora verify judges a text");
    }
    say_withheld(&door, ui);
    Ok(if report.path.is_some() { Outcome::Good } else { Outcome::Doubtful })
}

impl From<CaptureError> for Failure {
    fn from(error: CaptureError) -> Self {
        let hint = error.hint();
        Self::new(error).hinted(hint)
    }
}
