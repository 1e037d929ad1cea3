//! Measures, wraps and escapes texts.
//!
//! Widths are those of the font that comes with this crate. A browser may take another one of the same kind, so layouts
//! leave a little room.

use ttf_parser::{Face, GlyphId};

/// The font in its two weights, as the bytes of TrueType files.
pub(crate) const REGULAR: &[u8] = ttf_noto_sans::REGULAR;
pub(crate) const BOLD: &[u8] = ttf_noto_sans::BOLD;

/// Measures texts of one weight and size.
pub(crate) struct Ruler {
    font: Face<'static>,
    /// Pixels of a unit of the font.
    pub(crate) scale: f64,
}

impl Ruler {
    pub(crate) fn new(font: &'static [u8], size: f64) -> Ruler {
        let font = Face::parse(font, 0).expect("the font that comes with this crate can be read");
        Ruler { scale: size / f64::from(font.units_per_em()), font }
    }

    pub(crate) fn width(&self, text: &str) -> f64 {
        text.chars().map(|character| self.advance(character)).sum()
    }

    fn advance(&self, character: char) -> f64 {
        f64::from(self.font.glyph_hor_advance(self.glyph(character)).unwrap_or_default()) * self.scale
    }

    /// A character that the font lacks is shown as its replacement box.
    fn glyph(&self, character: char) -> GlyphId {
        self.font.glyph_index(character).unwrap_or_default()
    }

    /// Draws the outline of a character, in units of the font, and returns its width in pixels.
    #[cfg(feature = "png")]
    pub(crate) fn outline(&self, character: char, pen: &mut impl ttf_parser::OutlineBuilder) -> f64 {
        self.font.outline_glyph(self.glyph(character), pen);
        self.advance(character)
    }

    /// A text in lines no wider than `width`, broken between words where that is possible. What is left after `lines`
    /// lines is cut off, which an ellipsis shows.
    pub(crate) fn wrap(&self, text: &str, width: f64, lines: usize) -> Vec<String> {
        let mut done = Vec::new();
        let mut line = String::new();
        let mut used = 0.0;
        let space = self.advance(' ');
        for word in text.split_whitespace() {
            let needs = self.width(word);
            if !line.is_empty() && used + space + needs <= width {
                line.push(' ');
                line += word;
                used += space + needs;
                continue;
            }
            if !line.is_empty() {
                done.push(std::mem::take(&mut line));
                used = 0.0;
            }
            for character in word.chars() {
                let needs = self.advance(character);
                if used + needs > width && !line.is_empty() {
                    done.push(std::mem::take(&mut line));
                    used = 0.0;
                }
                line.push(character);
                used += needs;
            }
        }
        if !line.is_empty() {
            done.push(line);
        }
        if done.len() > lines {
            done.truncate(lines);
            if let Some(last) = done.last_mut() {
                while !last.is_empty() && self.width(last) + self.advance('…') > width {
                    last.pop();
                }
                last.truncate(last.trim_end().len());
                last.push('…');
            }
        }
        done
    }

    /// A text on one line no wider than `width`; empty if the text is.
    pub(crate) fn shorten(&self, text: &str, width: f64) -> String {
        self.wrap(text, width, 1).pop().unwrap_or_default()
    }
}

/// A text as it stands in XML, between tags or in quotes. Characters that XML cannot contain at all become U+FFFD.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            '\t' | '\n' | '\r' => escaped.push(' '),
            '\0'..' ' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wider_texts_measure_wider() {
        let ruler = Ruler::new(REGULAR, 12.0);
        assert!(ruler.width("i") < ruler.width("m"));
        assert!(ruler.width("mm") > ruler.width("m"));
        assert!(Ruler::new(BOLD, 12.0).width("title") > ruler.width("title"));
        assert!(Ruler::new(REGULAR, 24.0).width("title") > 1.9 * ruler.width("title"));
    }

    #[test]
    fn lines_break_between_words_and_fit() {
        let ruler = Ruler::new(REGULAR, 12.0);
        let lines = ruler.wrap("costs of every pattern  of\nthe catalogue", 100.0, 9);
        assert!(lines.len() > 1);
        assert_eq!(lines.join(" "), "costs of every pattern of the catalogue");
        assert!(lines.iter().all(|line| ruler.width(line) <= 100.0));
    }

    #[test]
    fn a_word_wider_than_the_line_breaks_inside() {
        let ruler = Ruler::new(REGULAR, 12.0);
        let word = "m".repeat(50);
        let lines = ruler.wrap(&word, 100.0, 99);
        assert_eq!(lines.concat(), word);
        assert!(lines.iter().all(|line| ruler.width(line) <= 100.0));
    }

    #[test]
    fn what_does_not_fit_ends_in_an_ellipsis() {
        let ruler = Ruler::new(REGULAR, 12.0);
        for text in ["word ".repeat(100), "m".repeat(100_000)] {
            let lines = ruler.wrap(&text, 100.0, 2);
            assert_eq!(lines.len(), 2);
            assert!(lines[1].ends_with('…') && ruler.width(&lines[1]) <= 100.0, "{lines:?}");
        }
        assert_eq!(ruler.shorten("", 100.0), "");
        assert_eq!(ruler.shorten("short", 100.0), "short");
    }

    #[test]
    fn escaped_text_reads_back() {
        let text = r#"a < b & "c" > 'd'"#;
        let document = format!(r#"<t a="{0}">{0}</t>"#, escape(text));
        let document = roxmltree::Document::parse(&document).unwrap();
        assert_eq!(document.root_element().text(), Some(text));
        assert_eq!(document.root_element().attribute("a"), Some(text));
        assert_eq!(escape("a\u{0}b\u{ffff}c\u{1b}\n"), "a\u{fffd}b\u{fffd}c\u{fffd} ");
    }
}
