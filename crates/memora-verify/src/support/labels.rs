//! What a label of short notes says as a sentence: `language: Rust` that it is written in Rust, `due: 1 December` that it has to
//! be handed in by then.
//!
//! The one rule to know: **a label lends words to its own value only**, those that tell the same of it.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::ground::Quote;
use super::sentence::Sentence;
use super::stem::stem;
use super::tokens::{Kind, Token, is_same};

/// A label, and the words by which a sentence tells what it labels.
const LABELS: &str = "
birthday born birth date
birthdate born birth birthday
born birthday birth
employer work works company job
company work works employer
job work works profession occupation
occupation work works job profession
profession work works job occupation
language written write speak programmed
languages speak spoken
due due deadline by have hand submit finish complete pay must ready
deadline due hand submit finish complete must by end until
rating rate give rated star stars
rated rating give star stars
allergies allergic allergy
allergy allergic
allergic allergy allergies
port listen use run reach
url reach available find
address live located find lie
phone reach call number telephone
mobile reach call number phone
tel reach call number phone telephone
email reach write mail
price cost pay amount come
cost pay price amount come
costs pay price amount come
fee cost pay amount
rent pay cost amount come monthly month
salary earn pay
budget available amount spend
author write written by
authors write written by
director direct directed film
publisher publish published
owner own responsible belong charge
responsible charge care
lead leads charge head led
deputy stand replace
landlord rent belong own
landlady rent belong own
serves enough make people portion serving
servings enough make serve people
yield make give
ingredients need contain take
time take last
duration take last
length take last long
start begin start
started begin start
begin start
end finish run
ends finish run
location place take held happen find
venue place take held happen
place take held happen find
where place held happen find
when place held happen take
date place held happen take
attendees attend present took part
present attend attendee took part
participants take part attend present
absent miss attend excuse
excused miss attend absent
excuse miss attend absent apology
vet appointment
pets have keep
hobbies like enjoy
likes like enjoy
dislikes dislike
favourite like best prefer most
favorite like best prefer most
decision decide choose choice opt go use take agree
decided decision choose choice use
agreed agree decide
cons drawback disadvantage downside negative bad
con drawback disadvantage downside negative bad
pros advantage benefit plus upside good
pro advantage benefit plus upside good
reason because why cause
cause because why reason
licence license release publish under
license licence release publish under
version run use
status be currently present now
priority task rank
prio priority task rank
mileage do drive done
weight weigh
height tall measure high
size measure
age old year
status state
warranty under guarantee
insured insurance
insurer insurance insure
prescription prescribe take
dose take
dosage take
medication take
diagnosis diagnose have
symptoms have suffer complain
diet eat
member belong
members belong consist
team consist include belong
idea consider think note
ideas consider think note
gift present give
todo have need must still task open
todos have need must still task open
";

/// Whether a word of the sentence only tells what a label of a quote says, of the value behind that label.
pub(super) fn lends(own: &Sentence<'_>, at: usize, quote: &Quote<'_>) -> bool {
    let word = &own.tokens[at];
    let is_lent = |label: &Token| lent(&label.stem).contains(&word.stem);
    let stands = |tokens: &[Token], word: &Token| tokens.iter().any(|t| is_same(t, word));
    let is_end = |t: &Token| matches!(t.kind, Kind::Mark(',' | ';' | '|' | '.'));
    let labelled = |part: &&[Token]| label(part).is_some_and(is_lent);
    let values: Vec<&[Token]> = if quote.context.split(is_end).filter_map(last_word).any(is_lent) {
        vec![quote.tokens]
    } else {
        quote.tokens.split(is_end).filter(labelled).collect()
    };
    if values.is_empty() {
        return false;
    }
    // What belongs to the word in the sentence has to stand behind the label.
    let mine = own.reading();
    let below = mine.of(at).iter().map(|(_, part)| *part);
    let above = mine.all().filter(|(_, _, part)| *part == at).map(|(head, ..)| head);
    let beside: Vec<usize> = below.chain(above).filter(|other| stands(quote.tokens, &own.tokens[*other])).collect();
    let nearest = || {
        let there = (0..own.tokens.len())
            .filter(|other| own.tokens[*other].says() && stands(quote.tokens, &own.tokens[*other]));
        there.min_by_key(|other| other.abs_diff(at))
    };
    let asked = if beside.is_empty() { nearest().into_iter().collect() } else { beside };
    !asked.is_empty() && values.iter().any(|value| asked.iter().all(|other| stands(value, &own.tokens[*other])))
}

/// The label in front of a colon: `due` of `due: 1 December`.
fn label(part: &[Token]) -> Option<&Token> {
    const WORDS_MAX: usize = 3;
    let colon = part.iter().position(|t| t.kind == Kind::Mark(':'))?;
    last_word(part.get(..colon).filter(|front| front.len() <= WORDS_MAX)?)
}

fn last_word(tokens: &[Token]) -> Option<&Token> {
    tokens.iter().rfind(|t| t.says())
}

/// The stems that a label lends.
fn lent(label: &str) -> &'static [String] {
    static BY_LABEL: LazyLock<HashMap<String, Vec<String>>> = LazyLock::new(|| {
        let mut found: HashMap<String, Vec<String>> = HashMap::new();
        for line in LABELS.lines() {
            let mut words = line.split(' ');
            if let Some(label) = words.next().filter(|label| !label.is_empty()) {
                found.entry(stem(label)).or_default().extend(words.map(stem));
            }
        }
        found
    });
    BY_LABEL.get(label).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use crate::support::tests::judged;

    #[test]
    fn a_label_says_what_a_sentence_tells_of_its_value() {
        judged(&[
            ("language: Rust << log-shipper", "The log-shipper is written in Rust.", "supported"),
            ("birthday: 1988-04-23 << Sofia Brandt", "Sofia Brandt was born on 23 April 1988.", "supported"),
            ("port: 8443 << grafana box", "The grafana box uses port 8443.", "supported"),
            ("owner: Daniela; deputy: Marco << Billing", "Daniela is responsible for billing.", "supported"),
            ("owner: Daniela; deputy: Marco << Billing", "Marco is responsible for billing.", "roles"),
            ("tester: Daniela << Billing", "Daniela is responsible for billing.", "content"),
        ]);
    }
}
