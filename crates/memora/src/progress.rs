//! Shows on a terminal that work goes on: bars where its length is known, a turning line where it is not.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// The time after which work is shown; what is done earlier needs no showing.
const SHOWN_AFTER: Duration = Duration::from_millis(150);
const TURN: Duration = Duration::from_millis(100);

/// A line that turns while work of unknown length goes on, until it is dropped.
pub(crate) struct Activity {
    /// Dropped first, which ends the thread.
    going: Option<Sender<()>>,
    drawing: Option<JoinHandle<()>>,
}

impl Activity {
    /// Starts to show what is being done. Nothing is drawn if it ends at once.
    pub(crate) fn start(message: String) -> Self {
        Self::draw_with(move || {
            ProgressBar::new_spinner().with_style(template_style("{spinner} {msg} {elapsed}")).with_message(message)
        })
    }

    fn draw_with(spinner: impl FnOnce() -> ProgressBar + Send + 'static) -> Self {
        let (going, ended) = channel::<()>();
        let goes_on = move |time| ended.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
        // Without a thread to draw it, the work is done all the same.
        let drawing = std::thread::Builder::new().name("activity".to_owned()).spawn(move || {
            if goes_on(SHOWN_AFTER) {
                let spinner = spinner();
                spinner.tick();
                while goes_on(TURN) {
                    spinner.tick();
                }
                spinner.finish_and_clear();
            }
        });
        Self { going: Some(going), drawing: drawing.ok() }
    }
}

impl Drop for Activity {
    fn drop(&mut self) {
        drop(self.going.take());
        if let Some(drawing) = self.drawing.take() {
            drop(drawing.join());
        }
    }
}

/// Creates a progress bar from a template.
pub(crate) fn progress_bar(template: &str, total: u64) -> ProgressBar {
    let bar = ProgressBar::new(total);
    bar.set_style(template_style(template));
    bar
}

fn template_style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    #[test]
    fn an_activity_is_drawn_while_work_goes_on_and_ends_with_it() {
        let drawn = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&drawn);
        let activity = Activity::draw_with(move || {
            seen.store(true, Ordering::Relaxed);
            ProgressBar::hidden()
        });
        while !drawn.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(5));
        }
        // Waits for the thread.
        drop(activity);
        assert_eq!(Arc::strong_count(&drawn), 1);
    }

    #[test]
    fn templates_can_be_read() {
        for template in ["{spinner} {msg} {elapsed}", "{msg} {wide_bar} {pos}/{len} {eta}"] {
            assert!(ProgressStyle::with_template(template).is_ok(), "{template}");
        }
    }
}
