//! Quotation marks, over the lines of a paragraph.

/// What closes the quotation that a text is in.
#[derive(Clone, Copy, Default)]
pub(super) struct QuoteState(Option<char>);

impl QuoteState {
    /// Whether what follows is quoted.
    pub(super) fn is_open(self) -> bool {
        self.0.is_some()
    }

    /// Whether a place of a line is quoted.
    pub(super) fn is_open_at(self, line: &str, place: usize) -> bool {
        let mut state = self;
        state.pass(line.get(..place).unwrap_or_default());
        state.0.is_some()
    }

    /// Reads on.
    pub(super) fn pass(&mut self, text: &str) {
        let mut before = ' ';
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            let next = chars.peek().copied();
            self.0 = match (self.0, c) {
                // In "don't" it ends no quotation.
                (Some(end @ ('\'' | '’')), _) if c == end && next.is_some_and(char::is_alphanumeric) => Some(end),
                (Some(end), _) if c == end => None,
                // Of a screen.
                (None, '"') if before.is_ascii_digit() => None,
                (None, '"' | '`') => Some(c),
                (None, '“') => Some('”'),
                (None, '„') => Some('“'),
                (None, '«') => Some('»'),
                (None, '»') => Some('«'),
                (None, '‚') => Some('‘'),
                // Not an apostrophe.
                (None, '\'' | '‘') if !before.is_alphanumeric() => Some(if c == '‘' { '’' } else { c }),
                (state, _) => state,
            };
            before = c;
        }
    }
}
