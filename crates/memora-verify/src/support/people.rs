//! Whether words name somebody: by a name, or by a word for a person.

use memora_english::Reader;

use super::ground::Quote;
use super::lexicon::{KIN, Words};
use super::tokens::{Kind, Token};

/// Given names that the dictionary has as words.
static NAMES: Words = Words::of(
    "
maria donna carol ruth anna frances heather jean rose tammy bonnie ruby robin crystal dawn grace sherry charlotte hazel amber
veronica sally erica dolores ana holly sue beth rosemary pearl colleen joy viola terry myrtle patsy penny brandy jenny violet
misty daisy ramona geneva margarita molly sandy iris amelia lee opal melody flora patty pat angelica jasmine angel hope ginger
olive may dixie faith ebony marina jewel aurora laurel fern iva cassie candy fay mollie daphne ester charity lily autumn summer
lea mavis gale dolly dale ivy eve althea gay liza john kris merle aline georgette james young christian savannah cherry cheryl
lacy mara beryl phoebe carissa rhea fanny ines pansy kitty jade sierra bobby nan mina belle destiny birdie rosita merry candida
barb mark timothy frank peter henry jack benjamin harry billy randy victor martin clarence earl jimmy mike chad ray don troy
alexander jay tom bill warren dean derrick glen hector rick brent gilbert gene marc ben franklin brad jared lance nelson guy max
ken bob marshall perry kirk wade nick oliver homer matt grant ira kelvin earnest benny josh clay dexter roman toby will teddy
garland miles heath rocky sterling chase chuck august jasper monte curt buddy rod rob cliff marcel rusty fabian mason graham reed
basil eddy emery clement art beau dick merlin hunter carter dirk sonny carmine forest rich brooks chance parker trey foster tad tod
milo newton jonah hank kip walker valentine sol buster palmer benedict malik wally porter sage willow harmony mercy dan sam leo
    ",
);

/// Words for people.
static PERSONS: Words = Words::of(
    "
sister brother cousin niece nephew wife husband son daughter child children kid kids baby partner girlfriend boyfriend fiancé
parent parents twin twins family neighbour neighbor friend guest host visitor tenant flatmate roommate landlord landlady boss
manager colleague coworker intern director chair treasurer secretary president mayor teacher student pupil tutor coach trainer
doctor dentist nurse vet physio therapist patient client customer supplier contractor builder plumber electrician painter
roofer cleaner gardener mechanic driver pilot lawyer accountant agent broker insurer buyer seller vendor waiter cook chef baker
barber hairdresser author writer editor publisher musician singer player captain referee priest pastor man woman men women boy
girl guy lady person people team committee class group band crew company
    ",
);

/// Whether a quote speaks of somebody else: by a name, a word for a person, a pronoun.
pub(super) fn speaks_of_somebody(quote: &Quote<'_>) -> bool {
    let is_other = |t: &Token| ["he", "she", "his", "her", "him", "they", "their"].contains(&t.lower.as_str());
    names_somebody(quote.tokens) || quote.tokens.iter().any(|t| is_other(t) || is_person(t))
}

/// Whether a title or a heading is a word for a person: `Gift ideas / Mum`.
pub(super) fn is_about_somebody(context: &[Token]) -> bool {
    context.split(|t| t.kind == Kind::Mark('.')).any(|text| matches!(text, [one] if is_person(one)))
}

/// Whether a word is one for a person.
pub(super) fn is_person(token: &Token) -> bool {
    let plain = token.lower.strip_suffix('s').unwrap_or(&token.lower);
    token.is_content() && (PERSONS.contains(plain) || PERSONS.contains(&token.lower) || KIN.contains(plain))
}

/// Whether words may name somebody: one that is written with a capital letter and is no word of English, or a given name that
/// no small word follows (`Rose`, not `Rose garden`).
pub(super) fn names_somebody(tokens: &[Token]) -> bool {
    let is_capital = |t: &Token| t.raw.starts_with(char::is_uppercase);
    let is_name = |(at, token): (usize, &Token)| {
        let may_be =
            token.is_content() && is_capital(token) && token.raw.chars().all(|c| c.is_alphabetic() || c == '-');
        let stands_alone = || tokens.get(at + 1).is_none_or(|next| next.kind != Kind::Word || is_capital(next));
        may_be && (!Reader::embedded().is_word(&token.lower) || (NAMES.contains(&token.lower) && stands_alone()))
    };
    // `Flight to Oslo` names a place.
    let is_place = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        before.is_some_and(|t| ["to", "in", "from", "at", "near", "via"].contains(&t.lower.as_str()))
    };
    tokens.iter().enumerate().any(|(at, token)| is_name((at, token)) && !is_place(at))
}
