//! Ctrl-C and SIGTERM: the first asks the work to stop at the next safe point, the second ends the program and the memory
//! servers that it started.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use memora_engine::kill_servers;

/// Returns a flag that Ctrl-C or SIGTERM raises; a second signal ends the program at once.
pub(super) fn stop_flag() -> Arc<AtomicBool> {
    Arc::clone(&stop_signal().flag)
}

/// Does something as soon as the flag is raised, such as to wake a waiting watcher.
pub(super) fn on_stop(act: impl Fn() + Send + 'static) {
    *stop_signal().act.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(act));
}

/// Ends the program at the first signal, with the memory servers that it started, which no terminal signals.
pub(super) fn end_on_stop() {
    on_stop(|| {
        kill_servers();
        std::process::exit(2);
    });
}

#[derive(Default)]
struct StopSignal {
    flag: Arc<AtomicBool>,
    act: Mutex<Option<Box<dyn Fn() + Send>>>,
}

fn stop_signal() -> &'static StopSignal {
    // A process can have only one handler.
    static STOP: OnceLock<StopSignal> = OnceLock::new();
    STOP.get_or_init(|| {
        // The handler runs in its own thread, after initialization.
        drop(ctrlc::set_handler(|| {
            let stop = stop_signal();
            if stop.flag.swap(true, Ordering::Relaxed) {
                kill_servers();
                std::process::exit(2);
            }
            if let Some(act) = &*stop.act.lock().unwrap_or_else(PoisonError::into_inner) {
                act();
            }
        }));
        StopSignal::default()
    })
}
