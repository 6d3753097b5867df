//! Words that say whose words follow: *according to your notes*. They assert nothing of the world.

/// How a sentence may begin; whether a comma or a colon has to follow.
const LEADS: &[(&str, bool)] = &[
    ("according to your notes", true),
    ("according to your note", true),
    ("according to my notes", true),
    ("according to the notes", true),
    ("based on your notes", true),
    ("based on your note", true),
    ("as your notes say", true),
    ("as noted", true),
    ("as you noted", true),
    ("as you wrote", true),
    ("from your notes", true),
    ("in your notes", true),
    ("in your note", true),
    ("per your notes", true),
    ("your note says that", false),
    ("your notes say that", false),
    ("your notes say", true),
    ("your notes state that", false),
    ("your notes mention that", false),
    ("your notes show that", false),
    ("your notes record that", false),
    ("the notes say that", false),
    ("the notes state that", false),
    ("you noted that", false),
    ("you wrote that", false),
    ("laut deinen notizen", false),
    ("laut den notizen", false),
    ("deinen notizen zufolge", false),
    ("in deinen notizen steht", true),
    ("wie notiert", true),
];

/// How it may end, behind a comma.
const TAILS: &[&str] = &[
    "according to your notes",
    "according to your note",
    "according to the notes",
    "as noted",
    "as your notes say",
    "laut deinen notizen",
    "wie notiert",
];

/// A sentence without the words that only say that the notes say it; `None` where there are none.
pub(super) fn without(sentence: &str) -> Option<&str> {
    let ends = ['.', '!', ' '];
    for (lead, divided) in LEADS {
        let Some((head, rest)) = sentence.split_at_checked(lead.len()) else { continue };
        if !head.eq_ignore_ascii_case(lead) {
            continue;
        }
        let said = rest.trim_start_matches([',', ':']);
        let parted = if *divided { said.len() < rest.len() } else { rest.starts_with([' ', ':']) };
        if parted && !said.trim().is_empty() {
            return Some(said.trim_start());
        }
    }
    let whole = sentence.trim_end_matches(ends);
    TAILS.iter().find_map(|tail| {
        let (said, end) = whole.split_at_checked(whole.len().checked_sub(tail.len())?)?;
        let said = said.trim_end().strip_suffix(',')?;
        (end.eq_ignore_ascii_case(tail) && !said.trim().is_empty()).then_some(said)
    })
}

#[cfg(test)]
mod tests {
    use super::without;

    #[test]
    fn only_what_says_whose_words_follow_is_taken_away() {
        for (sentence, said) in [
            ("According to your notes, Mia left.", Some("Mia left.")),
            ("According to your note, Mia left.", Some("Mia left.")),
            ("Your notes say that Mia left.", Some("Mia left.")),
            ("your notes say: Mia left.", Some("Mia left.")),
            ("Mia left, as noted.", Some("Mia left")),
            ("As noted in May, Mia left.", None),
            ("Your notes say Mia left.", None),
            ("According to your notes, ", None),
            ("According to Mia, she left.", None),
            ("é", None),
            ("", None),
        ] {
            assert_eq!(without(sentence), said, "{sentence}");
        }
    }
}
