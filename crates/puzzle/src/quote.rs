//! What somebody wrote, as messages quote it.

/// The most characters of it that are quoted: what fits on a line with a few words beside it.
const MOST: usize = 60;

/// A text in quotation marks, cut to what fits on a line, with control characters written as escapes.
///
/// ```
/// use tilebase_puzzle::quoted;
/// assert_eq!(quoted("1 2 3\x1b[31m"), "\"1 2 3\\u{1b}[31m\"");
/// assert_eq!(quoted("U'"), "\"U'\"");
/// assert!(quoted(&"7 ".repeat(1_000_000)).len() < 100);
/// ```
pub fn quoted(text: &str) -> String {
    // All but apostrophes, which do no harm within quotation marks.
    let escape = |letter: char| {
        let plain = (letter == '\'').then_some(letter);
        plain.into_iter().chain(letter.escape_debug().filter(move |_| plain.is_none()))
    };
    let mut escaped = text.chars().flat_map(escape);
    let start: String = escaped.by_ref().take(MOST).collect();
    let rest = if escaped.next().is_some() { "…" } else { "" };
    format!("\"{start}{rest}\"")
}
