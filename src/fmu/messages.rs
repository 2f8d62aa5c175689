//! Messages to the host: categories, what the host wants to hear, and texts that C can take.

use std::ffi::CString;
use std::sync::atomic::{AtomicU32, Ordering};

/// A category of `LogCategories`, under the standard's names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogCategory {
    /// Life of the instance: meshes read, states restored.
    Events,
    /// Messages with status `fmi2Warning`.
    StatusWarning,
    /// Messages with status `fmi2Discard`.
    StatusDiscard,
    /// Messages with status `fmi2Error`.
    StatusError,
    /// Messages with status `fmi2Fatal`.
    StatusFatal,
    /// All of them.
    All,
}

/// The declared categories with a description.
pub const LOG_CATEGORIES: [(LogCategory, &str); 6] = [
    (LogCategory::Events, "Life of the instance: meshes read, initialization, reset, restored states"),
    (LogCategory::StatusWarning, "Things that are not quite right, such as an orientation that had to be projected"),
    (LogCategory::StatusDiscard, "Answers that are not available"),
    (LogCategory::StatusError, "Refused calls and failed steps, naming the variable or file"),
    (LogCategory::StatusFatal, "Failures that concern every instance; none is known"),
    (LogCategory::All, "All messages"),
];

impl LogCategory {
    /// The standard's name.
    pub fn name(self) -> &'static str {
        self.c_name().to_str().expect("ASCII")
    }

    pub(crate) fn c_name(self) -> &'static std::ffi::CStr {
        match self {
            LogCategory::Events => c"logEvents",
            LogCategory::StatusWarning => c"logStatusWarning",
            LogCategory::StatusDiscard => c"logStatusDiscard",
            LogCategory::StatusError => c"logStatusError",
            LogCategory::StatusFatal => c"logStatusFatal",
            LogCategory::All => c"logAll",
        }
    }

    fn bits(self) -> u32 {
        match self {
            LogCategory::Events => 1,
            LogCategory::StatusWarning => 2,
            LogCategory::StatusDiscard => 4,
            LogCategory::StatusError => 8,
            LogCategory::StatusFatal => 16,
            LogCategory::All => 31,
        }
    }
}

/// One message; its category says how serious it is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Message {
    pub(crate) category: LogCategory,
    pub(crate) text: String,
}

/// Which categories the host wants to hear.
///
/// From `fmi2Instantiate` on, errors are told in any case, since a host without them can only
/// guess; `loggingOn` adds warnings. Most hosts set it, so events must be asked for by
/// `fmi2SetDebugLogging`, whose word on a category is final.
#[derive(Debug)]
pub(crate) struct LogFilter(AtomicU32);

impl LogFilter {
    pub(crate) fn new(logging_on: bool) -> Self {
        let errors =
            LogCategory::StatusError.bits() | LogCategory::StatusFatal.bits() | LogCategory::StatusDiscard.bits();
        LogFilter(AtomicU32::new(if logging_on { errors | LogCategory::StatusWarning.bits() } else { errors }))
    }

    pub(crate) fn wants(&self, category: LogCategory) -> bool {
        self.0.load(Ordering::Relaxed) & category.bits() != 0
    }

    /// Turns categories on or off; none means all. The first unknown name is returned, and nothing changed.
    pub(crate) fn set(&self, logging_on: bool, names: &[String]) -> Result<(), String> {
        let mut bits = if names.is_empty() { LogCategory::All.bits() } else { 0 };
        for name in names {
            let known = LOG_CATEGORIES.iter().find(|(category, _)| category.name() == name);
            bits |= known.ok_or_else(|| name.clone())?.0.bits();
        }
        let before = self.0.load(Ordering::Relaxed);
        self.0.store(if logging_on { before | bits } else { before & !bits }, Ordering::Relaxed);
        Ok(())
    }
}

/// A text as the `message` of the host's printf-like logger: `%` doubled, NUL made visible.
pub(crate) fn host_text(text: &str) -> CString {
    let escaped = text.replace('%', "%%").replace('\0', "\\0");
    CString::new(escaped).expect("no NUL is left")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_keep_percent_signs_and_survive_nul() {
        assert_eq!(host_text("100 % of a\0b %s").as_c_str(), c"100 %% of a\\0b %%s");
    }

    #[test]
    fn a_host_hears_errors_always_warnings_when_logging_is_on_and_events_on_request() {
        let off = LogFilter::new(false);
        assert!(off.wants(LogCategory::StatusError) && !off.wants(LogCategory::StatusWarning));
        let on = LogFilter::new(true);
        assert!(on.wants(LogCategory::StatusError) && on.wants(LogCategory::StatusWarning));
        assert!(!on.wants(LogCategory::Events));
        on.set(true, &["logEvents".to_owned()]).unwrap();
        assert!(on.wants(LogCategory::Events));
        on.set(false, &["logStatusWarning".to_owned()]).unwrap();
        assert!(!on.wants(LogCategory::StatusWarning) && on.wants(LogCategory::StatusError));
        on.set(false, &[]).unwrap();
        assert!(!on.wants(LogCategory::StatusError));
        assert_eq!(on.set(true, &["logAll".to_owned(), "logNoise".to_owned()]), Err("logNoise".to_owned()));
        assert!(!on.wants(LogCategory::StatusError));
    }
}
