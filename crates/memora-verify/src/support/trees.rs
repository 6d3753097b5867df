//! Who does what to whom, by trees: whether the sentence's tree stands in one of the notes' trees ([`agree`]), and what of it
//! is torn apart there ([`torn`]).
//!
//! Word order is asked first ([`roles`](super::roles)). It cannot see past a clause that the sentence leaves out (*drift, which
//! Anna leads, uses Go*), nor that one stands between (*Jonas, whose van broke down, came on Saturday* doesn't say when the van
//! broke down); a parser can. The one rule to know: **a tree agrees only if each word of the sentence is found as one word of
//! theirs, with everything that hangs on it; and it is torn only where both readings of it agree.**
//!
//! Deliberately not here: negation, modality, and whether the words are there at all.

use std::cell::Cell;

use super::arcs::{Arcs, Relation};
use super::ground::{Quote, one_and_all, places};
use super::lexicon::{BE, ROLES};
use super::sentence::Sentence;
use super::tokens::{Kind, Token};
use super::{Reason, ReasonKind, reason};

/// How deep a sentence may nest.
const DEPTH_MAX: usize = 24;

/// How many words are compared before no tree is found.
const STEPS_MAX: usize = 10_000;

/// So many arcs apart two words may be in the notes, and still belong together: a parser hangs a word too high or too low.
const APART_MAX: usize = 3;

/// Verbs that say what somebody or something is.
const NAMING: [&str; 16] = [
    "known",
    "called",
    "named",
    "became",
    "become",
    "becomes",
    "made",
    "elected",
    "appointed",
    "works",
    "worked",
    "serves",
    "served",
    "plays",
    "located",
    "remains",
];

/// Whether each part of a sentence says what one of the quotes does, word for word.
pub(super) fn agree(own: &Sentence<'_>, quotes: &[Quote<'_>]) -> bool {
    let (own, mine) = (own.tokens, own.reading());
    let steps = Cell::new(0);
    mine.hold_all(own)
        && mine.roots().iter().all(|root| {
            quotes.iter().any(|quote| {
                let theirs = quote.reading();
                let search = Search { own, mine, theirs, quote, steps: &steps };
                let says = leaves_out_who_says(own, quote.tokens);
                let may_be = |at: &usize| theirs.is_outright(*at) && (!says || theirs.is_described_by(*at));
                (0..quote.tokens.len()).filter(may_be).any(|at| search.holds(*root, at, None, DEPTH_MAX))
            })
        })
}

/// Whether it is only what somebody says, thinks or wants there, and here it is so: which clause hangs on such a verb is too
/// often guessed. What describes a noun (`the tax, introduced by the bishop, …`) is not what somebody says.
fn leaves_out_who_says(own: &[Token], theirs: &[Token]) -> bool {
    const SAYING: [&str; 20] = [
        "say", "said", "tell", "told", "think", "thought", "believ", "claim", "argu", "report", "hear", "heard",
        "suspect", "want", "dream", "fear", "doubt", "promis", "ask", "feel",
    ];
    let says = |t: &&Token| SAYING.contains(&t.stem.as_str());
    theirs.iter().filter(says).any(|t| !own.iter().any(|word| word.stem == t.stem))
}

/// Whether one of theirs does to whom, when and where all that a verb of the sentence does.
pub(super) fn is_verb_theirs(own: &Sentence<'_>, verb: usize, quotes: &[Quote<'_>]) -> bool {
    let mine = own.reading();
    let arcs: Vec<&(Relation, usize)> = mine
        .of(verb)
        .iter()
        .filter(|(relation, _)| !matches!(relation, Relation::Clause | Relation::Described))
        .collect();
    let holds = |quote: &Quote<'_>, at: usize| {
        let theirs = quote.reading();
        let is = |(relation, part): &&(Relation, usize)| {
            theirs.of(at).iter().any(|(there, other)| {
                there == relation && theirs.naming(*other).any(|other| same(&own.tokens[*part], &quote.tokens[other]))
            })
        };
        same(&own.tokens[verb], &quote.tokens[at]) && arcs.iter().all(is)
    };
    // What was not read as a verb was read wrongly.
    mine.is_verb(verb)
        && !arcs.is_empty()
        && quotes.iter().any(|quote| (0..quote.tokens.len()).any(|at| holds(quote, at)))
}

struct Search<'s> {
    own: &'s [Token],
    mine: &'s Arcs,
    theirs: &'s Arcs,
    quote: &'s Quote<'s>,
    /// How many words were compared, over all quotes.
    steps: &'s Cell<usize>,
}

impl Search<'_> {
    /// Whether a word of the sentence, with all that hangs on it but for what it was found `from`, is one of theirs.
    fn holds(&self, own: usize, at: usize, from: Option<usize>, depth: usize) -> bool {
        self.steps.set(self.steps.get() + 1);
        let (Some(word), Some(other)) = (self.own.get(own), self.quote.tokens.get(at)) else { return false };
        let Some(left) = depth.checked_sub(1).filter(|_| self.steps.get() < STEPS_MAX) else { return false };
        same(word, other)
            && self.mine.of(own).iter().filter(|(_, part)| Some(*part) != from).all(|(relation, part)| {
                let found = |(there, other): &(Relation, usize)| {
                    relation == there
                        && self.theirs.naming(*other).any(|other| self.holds(*part, other, Some(own), left))
                };
                let moved = || self.near(at).any(|head| self.theirs.of(head).iter().any(found));
                self.theirs.of(at).iter().any(found)
                    || (may_hang_elsewhere(*relation) && !self.theirs.joins() && moved())
                    || (*relation == Relation::Agent && self.is_left_out(at, *part))
            })
    }

    /// What a word of theirs hangs on, and what hangs on it: where a preposition is read to belong is often a guess.
    fn near(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        let below = self.theirs.of(at).iter().map(|(_, part)| *part);
        let above = self.theirs.all().filter(move |(_, _, part)| *part == at).map(|(head, ..)| head);
        below.chain(above)
    }

    /// Whether they leave it to the place they stand in who does it, and that names this one.
    fn is_left_out(&self, at: usize, part: usize) -> bool {
        let names_one = self.theirs.of(at).iter().any(|(relation, _)| *relation == Relation::Agent);
        let is_named = |part: usize| self.own.get(part).is_some_and(|own| self.quote.around().any(|t| same(t, own)));
        !names_one && is_named(part) && self.mine.of(part).iter().all(|(_, below)| is_named(*below))
    }
}

fn may_hang_elsewhere(relation: Relation) -> bool {
    matches!(relation, Relation::Placed | Relation::Led(_))
}

/// The words of a sentence that it gives another part than the quotes do: who does it, what it is done to, what somebody is,
/// when and where.
pub(super) fn torn(own: &Sentence<'_>, quotes: &[Quote<'_>]) -> Option<Reason> {
    if asks(own.tokens) {
        return None;
    }
    let (own, mine) = (own.tokens, own.reading());
    let is_measure = |part: usize| matches!(own[part].kind, Kind::Number(_) | Kind::Date(_));
    let tells = |(head, relation, part): &(usize, Relation, usize)| match relation {
        Relation::Agent => mine.is_verb(*head),
        Relation::Patient => mine.is_verb(*head) && !is_measure(*part),
        // What is said to be something is so from either side.
        Relation::Is => head < part,
        Relation::Placed | Relation::Led(_) => true,
        Relation::Described => mine.is_adjective(*part),
        Relation::Of | Relation::Clause => false,
    };
    // The same form, read as a noun here and as a verb there: `draws 4 watts`.
    let is_misread = |at: usize| {
        let word = &own[at];
        let other = |quote: &Quote<'_>, there: usize| {
            quote.tokens[there].lower == word.lower && quote.reading().is_verb(there) != mine.is_verb(at)
        };
        word.kind == Kind::Word && quotes.iter().any(|quote| (0..quote.tokens.len()).any(|there| other(quote, there)))
    };
    let is_certain = |(head, _, part): &(usize, Relation, usize)| {
        if is_misread(*head) || is_misread(*part) {
            return false;
        }
        let (head_word, part_word) = (&own[*head], &own[*part]);
        // What the notes leave out stands nowhere.
        let is_there =
            |word: &Token| quotes.iter().any(|quote| quote.tokens.iter().chain(quote.around()).any(|t| same(word, t)));
        mine.is_sure(*head, *part)
            && is_there(head_word)
            && !same(head_word, part_word)
            && !is_stand_in(head_word)
            && !is_stand_in(part_word)
    };
    let arcs: Vec<(usize, Relation, usize)> = mine.all().filter(tells).filter(is_certain).collect();
    let is_torn = |(head, relation, part): &(usize, Relation, usize)| {
        let joints: Vec<Joint> =
            quotes.iter().map(|quote| Joint::of(&own[*head], *relation, &own[*part], quote)).collect();
        let must_meet = matches!(relation, Relation::Agent | Relation::Patient | Relation::Is);
        !joints.contains(&Joint::Together) && (must_meet || joints.contains(&Joint::Apart))
    };
    let torn = arcs.iter().copied().find(|arc| is_torn(arc));
    let torn = torn
        .or_else(|| split(own, &arcs, quotes))
        .or_else(|| mine.all().find(|arc| is_owned_by_others(own, *arc, quotes)));
    torn.map(|(_, _, part)| reason(ReasonKind::Roles, &own[part].raw))
}

/// Whether what the sentence says is somebody's is always somebody else's there: `Mia's car` of `Ben's car`.
fn is_owned_by_others(own: &[Token], arc: (usize, Relation, usize), quotes: &[Quote<'_>]) -> bool {
    let (thing, relation, owner) = arc;
    if relation != Relation::Of || own[owner].kind == Kind::Word && !own[owner].raw.starts_with(char::is_uppercase) {
        return false;
    }
    let owners = |(quote, at): (&Quote<'_>, usize)| {
        let is_owner =
            |(relation, other): &&(Relation, usize)| *relation == Relation::Of && quote.tokens[*other].is_content();
        let of = quote.reading().of(at).iter().filter(is_owner);
        of.map(|(_, other)| same(&quote.tokens[*other], &own[owner])).collect::<Vec<_>>()
    };
    let is_others = |owners: Vec<bool>| !owners.is_empty() && !owners.contains(&true);
    one_and_all(places(quotes, |t| same(t, &own[thing])).map(owners), is_others)
}

/// What a verb of the sentence has that no single one of theirs has together: `Milan orders the chairs` of `Milan orders the
/// flyers, Tessa orders the chairs`.
fn split(own: &[Token], arcs: &[(usize, Relation, usize)], quotes: &[Quote<'_>]) -> Option<(usize, Relation, usize)> {
    let is_role = |relation: Relation| matches!(relation, Relation::Agent | Relation::Patient);
    let of = |head: usize| arcs.iter().filter(move |(at, relation, _)| *at == head && is_role(*relation));
    let one_has_all = |head: usize| {
        quotes.iter().any(|quote| {
            let is_it = |at: &usize| same(&own[head], &quote.tokens[*at]);
            (0..quote.tokens.len())
                .filter(is_it)
                .any(|at| of(head).all(|(_, relation, part)| Joint::at(at, *relation, &own[*part], quote)))
        })
    };
    let known = |head: usize| quotes.iter().any(|quote| quote.tokens.iter().any(|t| same(&own[head], t)));
    arcs.iter().copied().find(|(head, ..)| of(*head).count() > 1 && known(*head) && !one_has_all(*head))
}

/// Whether it asks: `When was drift moved`. Its words stand in an order that the parser has rarely seen.
fn asks(own: &[Token]) -> bool {
    const ASKING: [&str; 8] = ["who", "what", "when", "where", "why", "how", "which", "whose"];
    let is = |at: usize, list: &[&str]| own.get(at).is_some_and(|t| list.contains(&t.lower.as_str()));
    is(0, &ASKING) && (is(1, BE) || is(1, &["do", "does", "did", "has", "have", "can", "will", "should"]))
}

/// Whether a word stands in the place of a phrase of the sentence: what hangs on it there cannot be read here.
fn is_stand_in(token: &Token) -> bool {
    token.is_content() && token.raw.to_lowercase() != token.lower
}

/// How two words that the sentence joins stand in a quote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Joint {
    /// Near to each other, and none as what the other is here.
    Together,
    /// Both there, not so.
    Apart,
    /// Not both there.
    Elsewhere,
}

impl Joint {
    fn of(head: &Token, relation: Relation, part: &Token, quote: &Quote<'_>) -> Self {
        let places = |word: &Token| -> Vec<usize> {
            let is_it = |at: &usize| quote.tokens[*at].says() && same(word, &quote.tokens[*at]);
            (0..quote.tokens.len()).filter(is_it).collect()
        };
        let (heads, parts) = (places(head), places(part));
        let is_around = |word: &Token| quote.around().any(|t| same(t, word));
        if heads.is_empty() || parts.is_empty() {
            let left_out = |at: &usize| !quote.reading().of(*at).iter().any(|(there, _)| *there == relation);
            let told_of = (heads.iter().any(left_out) && is_around(part)) || (!parts.is_empty() && is_around(head));
            return if told_of { Self::Together } else { Self::Elsewhere };
        }
        let joined = |at: &usize| Self::at(*at, relation, part, quote);
        if heads.iter().any(joined) { Self::Together } else { Self::Apart }
    }

    /// Whether one word of a quote has another near it, as what the sentence says.
    fn at(at: usize, relation: Relation, part: &Token, quote: &Quote<'_>) -> bool {
        let theirs = quote.reading();
        if quote.around().any(|t| same(t, part)) && !theirs.of(at).iter().any(|(there, _)| *there == relation) {
            return true;
        }
        // Somebody is not what only the same verb has to do with, and a place or date of another verb is not this one's.
        let names = |word: usize| NAMING.contains(&quote.tokens[word].lower.as_str());
        let has_own = theirs.of(at).iter().any(|(there, _)| *there == relation);
        let through = |word: usize| {
            let stops = match relation {
                Relation::Is => theirs.is_verb(word) && !names(word),
                Relation::Placed | Relation::Led(_) => {
                    let is_apart = |verb: usize| theirs.is_joined(verb) || theirs.is_described_by(verb);
                    theirs.is_verb(word) && (has_own || is_apart(word) || is_apart(at))
                }
                _ => false,
            };
            !stops
        };
        let near = theirs.near(at, APART_MAX, through);
        let is_it = |other: &usize| *other != at && quote.tokens[*other].says() && same(part, &quote.tokens[*other]);
        // `Owner: Daniela; deputy: Marco`
        let is_parted = |other: usize| {
            let between = quote.tokens.get(at.min(other)..at.max(other)).unwrap_or_default();
            relation == Relation::Is && between.iter().any(|t| t.kind == Kind::Mark(';'))
        };
        near.into_iter().filter(is_it).any(|other| !is_parted(other) && may_be(theirs, at, relation, other))
    }
}

/// Whether a word may be to another what the sentence says, where they stand near each other.
fn may_be(theirs: &Arcs, head: usize, relation: Relation, part: usize) -> bool {
    let there: Vec<Relation> = theirs.between(head, part).collect();
    if there.contains(&relation) {
        return true;
    }
    let is_role = |relation: &Relation| matches!(relation, Relation::Agent | Relation::Patient);
    let directs = |relation: &Relation| matches!(relation, Relation::Led(group) if *group < ROLES.len());
    match relation {
        Relation::Agent | Relation::Patient => {
            // Somebody else has that part, and is not described by this word.
            let has = |(other, one): &(Relation, usize)| *other == relation && !belong(theirs, *one, part);
            // `The course moves` is said by whoever moves the course, too.
            let undone = || {
                relation == Relation::Patient
                    && there == [Relation::Agent]
                    && !theirs.of(head).iter().any(|(r, _)| *r == relation)
            };
            (!there.iter().any(|other| is_role(other) || directs(other)) || undone())
                && !theirs.of(head).iter().any(has)
        }
        // `Leo is older than me` doesn't say older than Leo.
        Relation::Led(group) if ROLES.get(group).is_some_and(|words| words.contains(&"than")) => {
            !there.iter().any(|other| is_role(other) || directs(other) || *other == Relation::Is)
        }
        Relation::Led(_) => !there.iter().any(|other| is_role(other) || (directs(&relation) && directs(other))),
        Relation::Placed => !there.iter().any(is_role),
        // `A red car` is not said by `a blue car and a red bike`.
        Relation::Described => {
            !theirs.all().any(|(other, relation_there, one)| one == part && relation_there == relation && other != head)
        }
        Relation::Is => {
            // `Hugo's father is a baker`: that is the father.
            let is_else = |one: usize, other: usize| {
                let leads = |named: usize| theirs.between(named, other).any(may_hang_elsewhere);
                let is = |(there, named): &(Relation, usize)| {
                    *there == relation && !belong(theirs, *named, other) && !leads(*named)
                };
                theirs.of(one).iter().any(is)
            };
            // `His offer was 8 %` of `he offered 8 %`.
            let is_deed = theirs.is_verb(head) && there == [Relation::Patient];
            is_deed || (!there.iter().any(is_role) && !is_else(head, part) && !is_else(part, head))
        }
        _ => true,
    }
}

/// Whether of two words one describes the other: `drift 0.9.0`.
fn belong(theirs: &Arcs, one: usize, other: usize) -> bool {
    let describes = |head, part| {
        let parts = |head: usize| theirs.of(head).iter().filter(|(relation, _)| *relation == Relation::Described);
        parts(head).any(|(_, one)| *one == part || parts(*one).any(|(_, other)| *other == part))
    };
    let beside = one.abs_diff(other) == 1
        && !theirs.between(one, other).chain(theirs.between(other, one)).any(|r| r == Relation::Of);
    beside || describes(one, other) || describes(other, one)
}

/// Whether one word is the other; a date may be vaguer than the other.
fn same(one: &Token, other: &Token) -> bool {
    match (one.kind, other.kind) {
        (Kind::Number(one), Kind::Number(other)) => one.value == other.value,
        (Kind::Date(one), Kind::Date(other)) => one.is_said_by(other),
        _ => one.stem == other.stem,
    }
}

#[cfg(test)]
mod tests {
    use crate::support::tests::judged;

    #[test]
    fn what_somebody_has_or_does_may_be_told_of_it() {
        judged(&[
            ("I offered 8 % and free onboarding.", "Your offer was 8 % and free onboarding.", "supported"),
            ("Owen asked for 15 %. I offered 8 %.", "Your offer was 15 %.", "roles"),
            ("Amal had the best idea, Ben the best plan.", "The best idea was Amal's.", "supported"),
            ("Amal's idea was better than Ben's plan.", "The plan was Amal's.", "roles"),
        ]);
    }

    #[test]
    fn a_number_keeps_to_its_own_sentence() {
        judged(&[
            ("Room 12 is warm. Room 14 is cold.", "Room 12 is cold.", "roles"),
            ("Room 12 is warm. Room 14 is cold.", "Room 12 is warm and Room 14 is cold.", "supported"),
            ("Paul lent Vera 200 euros. Vera paid him back 150 euros.", "Paul lent Vera 150 euros.", "roles"),
            ("The invoice of March is paid. The invoice of April is open.", "The invoice of April is paid.", "roles"),
        ]);
    }

    #[test]
    fn a_verb_that_denies_may_be_denied() {
        judged(&[
            ("The server refused the connection.", "The server did not refuse the connection.", "negation"),
            ("The server did not refuse the connection.", "The server refused the connection.", "negation"),
            ("Anna failed the driving test in May.", "Anna failed the driving test.", "supported"),
            ("The job did not fail on Tuesday.", "The job didn't fail.", "supported"),
        ]);
    }

    #[test]
    fn a_day_belongs_to_the_verb_of_its_clause() {
        judged(&[
            ("Jonas, whose van broke down, came on Saturday.", "Jonas's van broke down.", "supported"),
            ("Jonas, whose van broke down, came on Saturday.", "Jonas's van broke down on Saturday.", "roles"),
        ]);
    }
}
