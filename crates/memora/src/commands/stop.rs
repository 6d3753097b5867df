//! Ctrl-C and SIGTERM: the first asks the work to stop at the next safe point, the second ends the program.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use memora_engine::Waker;

/// Returns a flag that Ctrl-C or SIGTERM raises; a second signal ends the program at once.
pub(super) fn stop_flag() -> Arc<AtomicBool> {
    Arc::clone(&stop_signal().flag)
}

/// Wakes a waiting watcher as soon as the flag is raised.
pub(super) fn wake_on_stop(waker: Waker) {
    *stop_signal().waker.lock().unwrap_or_else(PoisonError::into_inner) = Some(waker);
}

#[derive(Default)]
struct StopSignal {
    flag: Arc<AtomicBool>,
    waker: Mutex<Option<Waker>>,
}

fn stop_signal() -> &'static StopSignal {
    // A process can have only one handler.
    static STOP: OnceLock<StopSignal> = OnceLock::new();
    STOP.get_or_init(|| {
        // The handler runs in its own thread, after initialization.
        drop(ctrlc::set_handler(|| {
            let stop = stop_signal();
            if stop.flag.swap(true, Ordering::Relaxed) {
                std::process::exit(2);
            }
            if let Some(waker) = &*stop.waker.lock().unwrap_or_else(PoisonError::into_inner) {
                waker.wake();
            }
        }));
        StopSignal::default()
    })
}
