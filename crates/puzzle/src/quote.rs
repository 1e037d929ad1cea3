//! What somebody wrote, as messages quote it.

/// The most characters of it that are quoted: what fits on a line with a few words beside it.
const MOST: usize = 60;

/// A text in quotation marks, cut to what fits on a line, with control characters written as escapes.
///
/// ```
/// use tilebase_puzzle::quoted;
/// assert_eq!(quoted("1 2 3\x1b[31m"), "\"1 2 3\\u{1b}[31m\"");
/// assert!(quoted(&"7 ".repeat(1_000_000)).len() < 100);
/// ```
pub fn quoted(text: &str) -> String {
    let mut escaped = text.chars().flat_map(char::escape_debug);
    let start: String = escaped.by_ref().take(MOST).collect();
    let rest = if escaped.next().is_some() { "…" } else { "" };
    format!("\"{start}{rest}\"")
}
