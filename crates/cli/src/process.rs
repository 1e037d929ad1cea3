//! The process: whether it was started with stdout, and signals that would end it.

#[cfg(unix)]
use std::sync::OnceLock;
#[cfg(target_os = "linux")]
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether stdout was closed when the program was started.
#[cfg(target_os = "linux")]
static HAS_NO_STDOUT: AtomicBool = AtomicBool::new(false);

/// Whether the program was started without stdout, as by `>&-` in a shell. Known on Linux only; elsewhere such a program writes its answers to
/// `/dev/null` without an error.
///
/// Before `main`, Rust opens `/dev/null` for reading and writing where stdout is closed. Other programs start this one with the same
/// (`subprocess.DEVNULL` in Python, `stdio: "ignore"` in Node.js, daemons), which is no error. From `main` on the two look alike, so [`LOOK`]
/// looks earlier.
#[cfg(target_os = "linux")]
pub(crate) fn has_no_stdout() -> bool {
    HAS_NO_STDOUT.load(Ordering::Relaxed)
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn has_no_stdout() -> bool {
    false
}

/// Looks for stdout before Rust opens anything in its place.
///
/// The loader calls the functions in this section before `main`; in the Python package, when the module is loaded. `std` promises nothing
/// at that time, so the function makes one system call and stores one flag.
#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "only the linker can have something called before main")]
#[used]
// SAFETY: the section is a list of pointers to C functions, which may ignore the arguments that they are called with.
#[unsafe(link_section = ".init_array")]
static LOOK: extern "C" fn() = {
    extern "C" fn look() {
        // SAFETY: the flags of a descriptor are read, whether there is one or not; nothing is changed.
        let flags = unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFD) };
        HAS_NO_STDOUT.store(flags == -1, Ordering::Relaxed);
    }
    look
};

/// From now on, a write beyond the limit of the size of files (`ulimit -f`) is an error, as on a full disk. Before that, the system ends
/// the process by SIGXFSZ, which leaves drafts behind.
#[cfg(unix)]
#[allow(unsafe_code, reason = "there is no safe way to ignore a signal")]
pub(crate) fn survive_size_limits() {
    // SAFETY: no handler is installed, so no code runs at the signal. A program that this one starts inherits the setting.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
}

#[cfg(not(unix))]
pub(crate) fn survive_size_limits() {}

/// What [`end_at_signals`] was given.
#[cfg(unix)]
static AT_SIGNALS: OnceLock<(fn() -> bool, u8)> = OnceLock::new();

/// From now on, SIGINT, SIGTERM and SIGHUP end the process with an exit code if `ends_at_once` says so. It runs inside of a signal
/// handler, on whichever thread that interrupts: it may use atomic variables, but no memory, locks or files.
#[cfg(unix)]
#[allow(unsafe_code, reason = "there is no safe way to handle a signal without a thread")]
pub(crate) fn end_at_signals(ends_at_once: fn() -> bool, code: u8) {
    extern "C" fn handle(_signal: libc::c_int) {
        if let Some((ends_at_once, code)) = AT_SIGNALS.get()
            && ends_at_once()
        {
            // SAFETY: POSIX lists `_exit` among the functions that a signal handler may call.
            unsafe { libc::_exit((*code).into()) }
        }
    }
    if AT_SIGNALS.set((ends_at_once, code)).is_ok() {
        let handle: extern "C" fn(libc::c_int) = handle;
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
            // SAFETY: the handler is a function of this type. It reads a value that was set before and calls what may be called there.
            unsafe { libc::signal(signal, handle as *const () as libc::sighandler_t) };
        }
    }
}

#[cfg(not(unix))]
pub(crate) fn end_at_signals(_ends_at_once: fn() -> bool, _code: u8) {}
