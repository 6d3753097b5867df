//! What a user asks to be remembered, as they typed it.
//!
//! Only a sentence of its own asks for it, and only that sentence is taken, or the one before it ("Always use tabs. Remember this.").
//! Invariant: **nothing is taken of what a prompt quotes**: fenced or indented text, quoted lines, what stands between quotation
//! marks, backticks or tags.
//!
//! - [`openings`]: the words that ask for it
//! - [`sentence`]: one sentence, and what is kept of it
//! - [`quotation`]: what is quoted

mod openings;
mod quotation;
mod requested;
mod sentence;
#[cfg(test)]
mod tests;

use memora_nlp::sentence::split_sentences;

use self::openings::{asks_politely, begins_list, may_ask, points_back};
use self::quotation::QuoteState;
use self::requested::Place;
use self::sentence::{read_request, take_fact, take_pointed};
use crate::typed_text::{is_in_element, typed_lines};

pub use self::requested::RequestedMemory;

/// The most memories that are taken of one prompt.
const REQUESTS_MAX: usize = 10;
/// The most lines that are read because words of a request are in them: nobody types more.
const ASKING_LINES_MAX: usize = 20;
/// The longest line that is read, in bytes: a longer one was not typed.
const LINE_BYTES_MAX: usize = 4_000;

/// Whether a text may ask to remember anything: cheap, and never wrongly no.
#[must_use]
pub fn may_request(text: &str) -> bool {
    may_ask(text)
}

/// Returns what a prompt asks to remember or to forget, in its order: `Is it green? Remember that I prefer tabs.` gives `I prefer tabs.`
/// An order for later keeps its opening, without which it would read as a fact.
#[must_use]
pub fn requested_memories(prompt: &str) -> Vec<RequestedMemory> {
    // Most prompts ask for nothing, and they may be long.
    if !may_ask(prompt) {
        return Vec::new();
    }
    let lines = typed_lines(prompt);
    let said = lines.iter().filter(|line| !line.is_empty()).count();
    let mut found: Vec<RequestedMemory> = Vec::new();
    let (mut is_first, mut is_list, mut asking) = (true, false, 0);
    let mut quote = QuoteState::default();
    let mut before = "";
    let mut looked_at = 0;
    for written in &lines {
        if written.is_empty() {
            quote = QuoteState::default();
            before = "";
            continue;
        }
        let line = strip_list_mark(written);
        let place = Place { begins: is_first, is_whole_line: said == 1 };
        let has_words = may_ask(line);
        let requests = match is_list && line != written {
            true => take_fact(line, place).into_iter().collect(),
            false if has_words && line.len() <= LINE_BYTES_MAX => read_line(line, before, place, quote),
            false => Vec::new(),
        };
        // "Remember:" above a list asks for each of its items.
        let begins_list = begins_list(line);
        asking += usize::from(begins_list || !requests.is_empty());
        for request in requests {
            // "Remember this." below a line asks for that line.
            asking += usize::from(!before.is_empty() && before.contains(&request.text));
            if found.len() < REQUESTS_MAX
                && !found.iter().any(|other| (&other.text, other.forgets) == (&request.text, request.forgets))
            {
                found.push(request);
            }
        }
        is_list = is_list && line != written || begins_list;
        quote.pass(line);
        before = if quote.is_open() { "" } else { line };
        is_first = false;
        looked_at += usize::from(has_words);
        if found.len() >= REQUESTS_MAX || looked_at >= ASKING_LINES_MAX {
            break;
        }
    }
    // Of several lines any may be another's: a mail that was pasted asks as its reader would.
    let all = prompt.lines().filter(|line| !line.trim().is_empty()).count();
    for request in found.iter_mut().filter(|_| all > 1 && asking < all) {
        request.must_be_confirmed = true;
    }
    found
}

/// The requests of one line; `before` is the line above it in its paragraph.
fn read_line(line: &str, before: &str, place: Place, quote: QuoteState) -> Vec<RequestedMemory> {
    let read = |start: usize| {
        let is_quoted = |at: usize| quote.is_open_at(line, at) || is_in_element(line, at);
        let rest = line.get(start..).filter(|_| !is_quoted(start))?;
        let place = if start == 0 { place } else { Place { begins: false, is_whole_line: false } };
        let sentence = rest.get(split_sentences(rest).into_iter().next()?)?;
        if !(points_back(sentence) || asks_politely(sentence)) {
            return read_request(rest, place);
        }
        let above = if start == 0 { before } else { line.get(..start)? };
        let pointed = split_sentences(above).pop().filter(|range| start == 0 || !is_quoted(range.start))?;
        let pointed = above.get(pointed)?;
        // What asks for itself was taken already.
        let is_taken = read_request(pointed, place).is_some() || points_back(pointed);
        (!is_taken).then(|| take_pointed(pointed, place))?
    };
    let requests = sentence_starts(line).into_iter().filter_map(|start| Some((start, read(start)?)));
    let mut requests: Vec<(usize, RequestedMemory)> = requests.collect();
    // What a colon introduces may be somebody else's: "Translate this: hello. Remember that I left."
    let introduced = line.find(": ").filter(|colon| requests.first().is_some_and(|(start, _)| start > colon));
    for (_, request) in requests.iter_mut().filter(|_| introduced.is_some()) {
        request.must_be_confirmed = true;
    }
    requests.into_iter().map(|(_, request)| request).collect()
}

/// A line without the mark or the number of a list's item.
fn strip_list_mark(line: &str) -> &str {
    let line = line.trim();
    let numbered = || {
        let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_number = (1..=3).contains(&(line.len() - rest.len()));
        rest.strip_prefix(['.', ')']).filter(|rest| is_number && rest.starts_with(' '))
    };
    let marked = ["- ", "* ", "+ ", "• "].iter().find_map(|mark| line.strip_prefix(mark));
    marked.or_else(numbered).unwrap_or(line).trim_start()
}

/// Where a sentence may begin: at the beginning, and after the end of another.
fn sentence_starts(line: &str) -> Vec<usize> {
    let mut starts = vec![0];
    let mut ended = false;
    for (at, c) in line.char_indices() {
        match c {
            '.' | '!' | '?' | '…' | ')' => ended = true,
            _ if c.is_whitespace() => {
                if ended {
                    starts.push(at + c.len_utf8());
                    ended = false;
                }
            }
            _ => ended = false,
        }
    }
    starts
}
