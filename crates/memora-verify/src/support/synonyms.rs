//! Words that say the same, small and reviewable.
//!
//! The one rule to know: **a group holds words that may stand for each other in a note without making it say something else.**
//! Neither opposites nor neighbours (Monday and Tuesday, to buy and to order) are synonyms, however often they stand in the
//! same place. A word may stand in several groups; that does not join them.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::stem::stem;

/// Groups, each a line of words in their plain forms.
const GROUPS: &str = "
switch change move migrate shift transition convert
buy purchase acquire
begin start commence
finish complete conclude end
stop cease quit halt discontinue
make create build construct produce develop
use employ utilize utilise apply
need require demand
allow permit let enable
prevent block hinder stop
forbid prohibit ban disallow
delete remove erase discard drop
add append insert
include contain comprise hold
show display present
say state mention note tell describe write explain report
think believe consider reckon
like enjoy
love adore
prefer favour favor
live reside dwell
job position post
role position
earn make
cost price charge
ask request
answer reply respond response
help assist aid support
choose pick select opt decide choice selection decision
reject decline
approve accept agree
plan intend
cancel scrap
postpone delay defer
increase rise grow raise climb
decrease fall drop reduce lower shrink decline
fix repair mend resolve solve
happen occur
trip journey travel
talk speak chat discuss
call phone ring telephone
send deliver ship
receive get obtain
give hand provide supply offer
store save keep hold retain
put place set
lead run head manage
own responsible owner
study learn
teach instruct
write author compose
publish release ship
test check verify examine inspect
find discover locate detect
see notice observe spot
wed marry
eat consume
hurt ache pain sore
injure hurt
heal recover
connect link
separate split divide
copy duplicate replicate
close shut
enable activate
disable deactivate
run execute perform
last take
arrive come reach
leave depart
stay remain
replace substitute swap exchange
improve enhance
skip omit
promise pledge vow
lend loan
rent hire lease
book reserve
schedule arrange
quit resign leave
try attempt
hope wish
remember recall
return back
carry bring
look seem appear
cut trim
throw toss
fasten attach fix
clean wash
wait await
watch view
get fetch retrieve
combine merge
share split
mark flag label
collect gather
search look
handle process treat
form shape
note record log
child kid
mother mum mom mummy
father dad
grandmother grandma granny
grandfather grandpa
colleague coworker
boss manager
doctor physician
home house
flat apartment
bike bicycle
car automobile
photo picture image
movie film
shop store
area region district
street road
salary wage pay income
money cash
fee charge
bug defect fault error
problem issue trouble
reason cause
goal aim purpose target objective
way method approach means
step stage phase
part piece section portion
kind type sort
amount quantity
limit cap
rule policy
holiday vacation
meal dish
note entry
file document
folder directory
setting option preference
configuration config
plugin extension addon
shortcut hotkey
version release edition
update upgrade
database db
licence license
speed pace
list listing
symbol sign icon
window pane
author writer
title name
person people
beginning start
test trial
big large huge
small little tiny
quick fast rapid swift quickly rapidly
cheap inexpensive
expensive costly
important crucial key essential vital
necessary needed required
difficult hard tough challenging
easy simple straightforward easily simply
good great fine
bad poor
happy glad pleased
unhappy sad
tired exhausted
ill sick unwell
new recent recently newly
current present currently presently now nowadays
previous former earlier prior previously formerly
next following subsequent
final last
whole entire complete full fully completely entirely
main chief primary principal
different distinct
same identical equal
strange odd weird
safe secure
dangerous risky
quiet silent
loud noisy
correct right accurate
wrong incorrect
clear obvious plain
enough sufficient
common usual frequent typical
additional extra further another
only solely just
often frequently
usually normally typically generally
sometimes occasionally
soon shortly
later afterwards subsequently
also too additionally
about approximately roughly around circa
nearly almost
exactly precisely
mainly mostly primarily
together jointly
immediately instantly
automatically automatic
once one
annual yearly
each every
several various multiple
many numerous
somebody someone
everybody everyone
anybody anyone
nearby close
";

static BY_STEM: LazyLock<HashMap<String, Vec<usize>>> = LazyLock::new(|| {
    let mut groups: HashMap<String, Vec<usize>> = HashMap::new();
    for (number, line) in GROUPS.lines().enumerate() {
        for word in line.split_whitespace() {
            let of = groups.entry(stem(word)).or_default();
            if !of.contains(&number) {
                of.push(number);
            }
        }
    }
    groups
});

/// Whether two stems stand in one group.
pub(super) fn are_synonyms(a: &str, b: &str) -> bool {
    match (BY_STEM.get(a), BY_STEM.get(b)) {
        (Some(of_a), Some(of_b)) => of_a.iter().any(|group| of_b.contains(group)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::lexicon::ANTONYMS;

    #[test]
    fn opposites_are_no_synonyms() {
        for (a, b) in ANTONYMS {
            assert!(!are_synonyms(&stem(a), &stem(b)), "{a} and {b}");
        }
    }

    #[test]
    fn a_word_stands_for_another_of_its_group_and_for_no_other() {
        let check = |a: &str, b: &str, same: bool| assert_eq!(are_synonyms(&stem(a), &stem(b)), same, "{a}, {b}");
        check("moved", "switched", true);
        check("bought", "purchase", true);
        check("purchases", "buying", true);
        check("ships", "releases", true);
        check("kid", "children", true);
        check("cancelled", "postponed", false);
        check("bought", "ordered", false);
        check("quit", "halt", true);
        check("resign", "halt", false);
    }
}
