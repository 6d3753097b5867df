//! Notes and the claims drawn from them, one way of writing at a time.

use memora_claim::{Claim, Phase, split_statements};
use memora_extract::ClaimExtractor;
use memora_vault::{Note, NotePath, PartialDate, PathContext};
use proptest::prelude::*;

fn claims(text: &str) -> Vec<Claim> {
    let path = NotePath::new("Title.md").expect("a good path");
    let (note, _) = Note::parse(path, text.to_owned(), PathContext::default());
    split_statements(&note)
        .iter()
        .flat_map(|statement| ClaimExtractor::default().extract_facts(&note, statement))
        .collect()
}

/// As `subject | predicate | object`, and behind it what else is to be seen of a claim.
fn shown(claim: &Claim) -> String {
    let mut text = format!("{} | {} | {}", claim.subject_or_title("Title"), claim.predicate, claim.object);
    if !claim.qualifiers.is_empty() {
        text += &format!(" [{}]", claim.qualifiers.join("; "));
    }
    if claim.modality.as_str() != "asserted" {
        text += &format!(" {}", claim.modality.as_str());
    }
    if let Some(speaker) = &claim.attribution {
        text += &format!(" by {speaker}");
    }
    if claim.negated {
        text += " denied";
    }
    if claim.phase != Phase::Steady {
        text += &format!(" {}", claim.phase.as_str());
    }
    if let Some(relation) = &claim.relation {
        text += &format!(" = {relation}");
    }
    text
}

/// Reads a note `Title.md` and compares every claim of it.
#[track_caller]
fn check(text: &str, expect: &[&str]) {
    let mut found: Vec<String> = claims(text).iter().map(shown).collect();
    let mut expect: Vec<String> = expect.iter().map(|line| (*line).to_owned()).collect();
    found.sort();
    expect.sort();
    assert_eq!(found, expect, "{text}");
}

#[test]
fn a_change_ends_one_thing_and_begins_another() {
    check(
        "drift switched serialization from JSON to MessagePack after throughput benchmarks.\n",
        &[
            "drift | switched serialization from | JSON [after throughput benchmarks] ended = uses_serialization",
            "drift | switched serialization to | MessagePack [after throughput benchmarks] begun = uses_serialization",
        ],
    );
    let found = claims("Lena moved from Graz to Ljubljana in March 2021.\n");
    let until = found.iter().find(|c| c.object == "Graz").map(|c| c.holds.resolve(None));
    assert_eq!(until.and_then(|valid| valid.until).map(|d| d.to_string()).as_deref(), Some("2021-03"));
    let from = found.iter().find(|c| c.object == "Ljubljana").map(|c| c.holds.resolve(None));
    assert_eq!(from.and_then(|valid| valid.from).map(|d| d.to_string()).as_deref(), Some("2021-03"));
}

#[test]
fn what_is_coordinated_is_said_of_each() {
    check(
        "Anna and Ben like Go and Rust.\n",
        &[
            "Anna | like | Go = likes",
            "Anna | like | Rust = likes",
            "Ben | like | Go = likes",
            "Ben | like | Rust = likes",
        ],
    );
    check(
        "Grafana reads from Prometheus and sends mails.\n",
        &["Grafana | reads from | Prometheus", "Grafana | sends | mails"],
    );
}

#[test]
fn lines_without_a_subject_take_it_from_their_place() {
    check(
        "# hera\n\n- runs Debian 12\n- costs 40 € a month\n",
        &["hera | costs | 40 € [a month] = price", "hera | runs | Debian 12 = runs_on"],
    );
    check("- Flights\n  - booked with Condor\n", &["Flights | booked with | Condor", "Title | states | Flights"]);
}

#[test]
fn lines_without_a_verb_say_what_they_describe() {
    check(
        "- room booked, deposit not yet returned\n",
        &["deposit | is | yet returned denied", "room | is | booked = status"],
    );
    check(
        "- Cheap, loud, indestructible\n",
        &["Title | is | Cheap", "Title | is | indestructible", "Title | is | loud"],
    );
    check("- API v1 deprecated\n", &["API v1 | deprecated | "]);
}

#[test]
fn how_a_clause_is_meant_is_kept() {
    check(
        "SQLite does not support concurrent writers.\n",
        &["SQLite | does not support | concurrent writers denied = supports"],
    );
    check("Anna says the API is slow.\n", &["the API | is | slow reported by Anna says"]);
    check(
        "If the frost comes, Ben brings the lemon tree inside.\n",
        &["Ben | brings | the lemon tree [If the frost comes; inside] conditional"],
    );
    check("Mira will paint the fence in June.\n", &["Mira | will paint | the fence [in June] planned"]);
}

#[test]
fn what_is_not_so_is_not_asserted() {
    check("The pump is loud and is not safe.\n", &["The pump | is | loud", "The pump | is not | safe denied"]);
    check(
        "Exports work with Chrome but not with Safari.\n",
        &["Exports | work with | Chrome = integrates_with", "Exports | work with | Safari denied = integrates_with"],
    );
    for text in [
        "It is not true that Sam owns the boat.",
        "It is unlikely that Ben owned the mill.",
        "I wish I had bought the cheaper tent.",
        "Not all riders finished the race.",
        "Had Tom known, he would have left.",
        "Provided that the bank agrees, we buy the house.",
    ] {
        let plain =
            |claim: &&Claim| claim.modality.as_str() == "asserted" && !claim.negated && claim.predicate != "states";
        let found = claims(&format!("{text}\n"));
        assert_eq!(found.iter().find(plain).map(shown), None, "{text}");
    }
}

#[test]
fn the_title_of_a_callout_does_nothing() {
    check(
        "> [!info] Excluded files\n> Anna keeps them.\n",
        &["Title | states | Excluded files", "Anna | keeps | them"],
    );
}

#[test]
fn a_time_in_front_is_nobodys_name() {
    for (text, subject) in [
        ("Last Friday Ben met Lisa.", "Ben"),
        ("In March Ben joined Kestrel.", "Ben"),
        ("Three years ago Ben moved to Kiel.", "Ben"),
        ("After long benchmarks, drift switched its format.", "drift"),
    ] {
        let subjects: Vec<String> =
            claims(&format!("{text}\n")).iter().map(|claim| claim.subject_or_title("Title").to_string()).collect();
        assert_eq!(subjects, [subject], "{text}");
    }
}

#[test]
fn links_code_and_quantities_are_one_word() {
    check(
        "[[Platform Team]] owns `cargo build --release`.\n",
        &["Platform Team | owns | cargo build --release = owns"],
    );
    check(
        "Anna paid 1,150 € for the second-hand bike.\n",
        &["Anna | paid | 1,150 € [for the second-hand bike] = price"],
    );
}

#[test]
fn names_in_bold_or_quotes_are_one_word() {
    check(
        "- Under **Core plugins**, next to **Graph view**, select **Open local graph**.\n",
        &["Title | select | Open local graph [Under Core plugins; next to Graph view] planned"],
    );
    check(
        "Widgets are not available when using \"Require Face ID\" to unlock.\n",
        &["Widgets | are not | available [when using \"Require Face ID\" to unlock] denied = status"],
    );
    check("**Sync status**\n", &["Title | states | Sync status"]);
    check("Files named `#` are hidden.\n", &["Files named # | are hidden | "]);
}

#[test]
fn what_stands_in_front_goes_with_each_clause() {
    check(
        "If the pump fails, Ben calls Olga and the cellar is flooded.\n",
        &[
            "Ben | calls | Olga [If the pump fails] conditional",
            "the cellar | is flooded |  [If the pump fails] conditional",
        ],
    );
    check("- To drain the tank, open the valve.\n", &["Title | open | the valve [To drain the tank] planned"]);
    check(
        "Because the pump failed, Ben called Olga.\n",
        &["Ben | called | Olga [Because the pump failed]", "the pump | failed | "],
    );
}

#[test]
fn what_only_tells_which_one_is_meant_is_no_claim() {
    check("- Select the note you want to merge into.\n", &["Title | states | Select the note you want to merge into."]);
    check(
        "Only the notes you publish are sent to the server.\n",
        &["Only the notes | are sent to | the server [Only; you publish]"],
    );
    check(
        "The second icon shows you how many tabs are open.\n",
        &["The second icon | shows | you [how many tabs are open]"],
    );
}

#[test]
fn a_denial_denies_once_and_its_own_clause() {
    check("There is no lift in the house.\n", &["lift | is in | the house denied"]);
    check(
        "Ben is disconnected from the vault and is no longer syncing on the phone.\n",
        &["Ben | is disconnected from | the vault [is no longer; syncing on the phone]"],
    );
    check("Be sure that the valve is closed.\n", &["the valve | is closed |  planned"]);
}

/// "Used to" is a past habit; "are used to" says what for, or to what somebody is accustomed.
#[test]
fn what_is_used_to_do_something_did_not_end() {
    let ended = |text: &str| claims(text).iter().any(|claim| claim.phase == Phase::Ended);
    for text in ["Anna used to work at Acme.\n", "We used to use Jenkins.\n"] {
        assert!(ended(text), "{text}");
    }
    for text in [
        "iptables rules are used to redirect traffic.\n",
        "Large blocks are used to decrease seek time.\n",
        "The hook is used to guard the folder.\n",
        "We are used to rain.\n",
    ] {
        assert!(!ended(text), "{text}");
    }
}

#[test]
fn what_no_longer_holds_ended_though_its_verb_is_elsewhere_a_noun() {
    for (text, predicate, object) in [
        ("I no longer work at Whaally.\n", "no longer work at", "Whaally"),
        ("We no longer use Redux.\n", "no longer use", "Redux"),
        ("My parents no longer rent the flat.\n", "no longer rent", "the flat"),
    ] {
        let found = claims(text);
        let ended = found.iter().find(|c| c.phase == Phase::Ended);
        assert_eq!(ended.map(|c| (c.predicate.as_str(), c.object.as_str())), Some((predicate, object)), "{found:?}");
    }
}

#[test]
fn lists_with_a_comma_before_their_and_are_lists() {
    check(
        "We use Rust, Go, and Python.\n",
        &["We | use | Rust = uses_language", "We | use | Go = uses_language", "We | use | Python = uses_language"],
    );
    check(
        "The filter keeps the third and all following items.\n",
        &["The filter | keeps | the third and all following items"],
    );
}

#[test]
fn a_denial_holds_for_what_shares_it() {
    for (text, objects) in [
        ("Obsidian does not gather or store any data.", vec!["any data", "any data"]),
        ("Tom hasn't sold the boat or moved to Kiel.", vec!["Kiel", "the boat"]),
        ("The app supports neither SSO nor SAML.", vec!["SAML", "SSO"]),
    ] {
        let found = claims(&format!("{text}\n"));
        let mut denied: Vec<&str> = found.iter().filter(|c| c.negated).map(|c| c.object.as_str()).collect();
        denied.sort_unstable();
        assert_eq!((denied, found.len()), (objects, 2), "{text}");
    }
    check(
        "Anna is not a doctor but a nurse.\n",
        &["Anna | is not | a doctor denied = role", "Anna | is | a nurse = role"],
    );
    check("Anna never left Siemens.\n", &["Anna | never left | Siemens denied = works_at"]);
    // Of whom it is not so does not deny it of the first.
    check("Nora is in Kiel, Emil isn't.\n", &["Nora | is in | Kiel [Emil isn't.]"]);
    check("All but Tom have a key.\n", &["Title | states | All but Tom have a key."]);
}

#[test]
fn who_says_so_stays_with_it_wherever_it_stands() {
    for text in [
        "The pump is broken, Anna says.",
        "The pump is broken, Tom told me.",
        "The pump is broken, according to Anna.",
        "The pump is broken, apparently.",
        "Anna said, \"the pump is broken\".",
        "Rumour: the pump is broken.",
        "Tom says: the pump is broken.",
        "Nobody thinks the pump is broken.",
    ] {
        let found = claims(&format!("{text}\n"));
        let reported = |c: &Claim| c.modality.as_str() == "reported" && c.attribution.is_some();
        assert!(
            !found.is_empty() && found.iter().all(reported),
            "{text}: {:?}",
            found.iter().map(shown).collect::<Vec<_>>()
        );
    }
    for (text, modality) in [
        ("Not true: Tom lives in Berlin.", "rejected"),
        ("Option B: we move to Kiel.", "conditional"),
        ("But if Anna signs, Tom sells the shop.", "conditional"),
        ("\"If Anna signs, Tom sells the shop.\"", "conditional"),
        ("If Anna, Ben and Olga agree, Tom sells the shop.", "conditional"),
        ("Because if it rains, we stay home.", "conditional"),
    ] {
        let found = claims(&format!("{text}\n"));
        let of = |c: &Claim| c.modality.as_str() == modality;
        assert!(!found.is_empty() && found.iter().all(of), "{text}: {:?}", found.iter().map(shown).collect::<Vec<_>>());
    }
    for text in ["Has Anna sold the boat", "Did Tom sell the boat", "Tom sold the boat?!"] {
        let asserted = |c: &&Claim| c.predicate != "states";
        assert_eq!(claims(&format!("- {text}\n")).iter().find(asserted).map(shown), None, "{text}");
    }
}

#[test]
fn a_time_in_front_is_when_it_holds() {
    let found = claims("When we met in 2019, Tom worked at Siemens.\n");
    let from = found.first().and_then(|c| c.holds.resolve(None).from).map(|day| day.to_string());
    assert_eq!(from.as_deref(), Some("2019"));
    // Under a condition a time says nothing yet, and the day of the note does not either.
    let found = claims("Unless the vendor replies by Friday, we cancel the order.\n");
    assert!(
        found.first().is_some_and(|c| !c.holds.is_unspecified() && c.holds.resolve(None).from.is_none()),
        "{found:?}"
    );
}

#[test]
fn a_day_in_front_is_when_it_was_done() {
    check(
        "- 2025-03-15: planted potatoes, soil still cold\n- April 6 – pruned the fig\n",
        &[
            "Title | planted | potatoes [2025-03-15]",
            "soil | is | still cold [2025-03-15]",
            "Title | pruned | the fig [April 6]",
        ],
    );
    // What is yet to come is the next June, and not the last.
    let found = claims("The offsite will be held in Aarhus in June.\n");
    let from = found.first().and_then(|c| c.holds.resolve(PartialDate::parse("2025-04-09")).from);
    assert_eq!(from.map(|day| day.to_string()).as_deref(), Some("2025-06"));
}

#[test]
fn of_whom_it_is_not_so_it_is_denied() {
    check(
        "Rabbits, not deer, are eating the beans.\n",
        &["Rabbits | are eating | the beans", "deer | are eating | the beans denied"],
    );
    check("Everyone but me hates it.\n", &["Title | states | Everyone but me hates it."]);
}

#[test]
fn nothing_guarded_shows_in_how_a_public_line_is_read() {
    let of = |text: &str| {
        let public = |c: &&Claim| c.object.contains("zsh") || c.object.contains("broken");
        claims(text).iter().filter(public).map(shown).collect::<Vec<_>>()
    };
    for (one, other) in [
        (
            "> <!--privacy:secret-->[! is x.<!--/privacy--> Switched to zsh in May.\n",
            "> <!--privacy:secret-->abc is x.<!--/privacy--> Switched to zsh in May.\n",
        ),
        (
            "- coffee machine broken\n<!--privacy:secret-->\n  - abc\n<!--/privacy-->\n",
            "- coffee machine broken\n<!--privacy:secret-->\n- abc\n<!--/privacy-->\n",
        ),
    ] {
        assert_eq!(of(one), of(other), "{one}");
    }
}

#[test]
fn a_line_of_thousands_of_parts_is_read() {
    let dates = format!("- if the pump leaks, {}x\n", "on 2024-03-01, ".repeat(5_000));
    claims(&dates);
    for part in ["Abc - ", "if it rains, ", "we see it: `x(y)` ", "a; ", "(", "**B** is "] {
        claims(&format!("- {}x\n", part.repeat(20_000)));
    }
}

#[test]
fn properties_speak_of_the_note() {
    check(
        "---\nstatus: active\nup: \"[[Home|the start]]\"\nlangs: [Go, Rust]\ntags: [a]\n---\n# H\n",
        &[
            "Title | langs | Go",
            "Title | langs | Rust",
            "Title | status | active = status",
            "Title | up | the start = part_of",
        ],
    );
}

#[test]
fn fields_speak_of_the_note_or_of_their_item() {
    check(
        "owner:: Sam\n\n- Ship it [due:: 2025-06-30]\n",
        &["Ship it | due | 2025-06-30 = due", "Title | Ship | it planned", "Title | owner | Sam = owner"],
    );
}

#[test]
fn rows_speak_of_their_first_cell() {
    check(
        "# Releases\n\n| Version | Date | Note |\n|---|---|---|\n| 1.0 | 2024-11-18 | |\n| only | | |\n",
        &["1.0 | Date | 2024-11-18", "Releases | states | only"],
    );
}

#[test]
fn a_row_that_a_link_tears_claims_nothing() {
    check(
        "# People\n\n| Name | Age | City |\n|---|---|---|\n| [[Anna Brandt|Anna]] | 30 |\n| [[Ben\\|B]] | 40 | Nice |\n\
         | Emma | [[Ghent|the city]] |\n",
        &[
            "B | Age | 40 = age",
            "B | City | Nice = located_in",
            "People | states | Emma | [[Ghent | the city]]",
            "People | states | [[Anna Brandt | Anna]] | 30",
        ],
    );
}

#[test]
fn labels_and_definitions() {
    check(
        "# Plan A\n\n- Price: 40 euros per month\n- WAL — the write-ahead log\n- Attendees: Petra, Olu, Jens\n",
        &[
            "Plan A | Attendees | Jens",
            "Plan A | Attendees | Olu",
            "Plan A | Attendees | Petra",
            "Plan A | Price | 40 euros per month = price",
            "WAL | is | the write-ahead log",
        ],
    );
    check(
        "- Auth service: moved from JWT to opaque tokens\n",
        &["Auth service | moved from | JWT ended", "Auth service | moved to | opaque tokens begun"],
    );
    check("- Port: 8080 → 9443\n", &["Title | Port | 8080 ended = port", "Title | Port | 9443 begun = port"]);
    check("TODO: descale the machine\n", &["Title | descale | the machine planned"]);
}

#[test]
fn tasks_keep_their_state() {
    check(
        "- Release 1.4\n  - [ ] Buy rye\n  - [x] Feed the starter\n- [-] Call Sam\n",
        &[
            "Release 1.4 | done | Feed the starter",
            "Release 1.4 | open | Buy rye planned",
            "Title | cancelled | Call Sam",
            "Title | states | Release 1.4",
        ],
    );
}

#[test]
fn what_claims_nothing_stays_whole_or_out() {
    check("Is it fast? Drift is very fast.\n", &["Drift | is | very fast"]);
    check(
        "> Logs have a shape.\n\n## Rejected\n\nDrift is a queue.\n",
        &["Drift | is | a queue rejected = is_a", "Logs | have | a shape reported"],
    );
    check("- see also [[Attic]]\n", &["Title | states | see also Attic"]);
    check("Die Kreissäge steht jetzt im Keller.\n", &["Title | states | Die Kreissäge steht jetzt im Keller."]);
}

#[test]
fn times_are_kept_as_the_words_have_them() {
    let found = claims("Anna met Ben yesterday.\n");
    let holds = found.first().map(|claim| claim.holds).unwrap_or_default();
    let written = PartialDate::parse("2025-03-01");
    assert_eq!(holds.resolve(written).from.map(|day| day.to_string()).as_deref(), Some("2025-02-28"));
    assert_eq!(holds.resolve(None).from, None, "without the note's date it is not known");
}

/// Every word of a claim is a word of its note, but for the few that a rule puts in.
fn words_are_the_notes(text: &str) {
    let path = NotePath::new("Title.md").expect("a good path");
    let (note, _) = Note::parse(path, text.to_owned(), PathContext::default());
    for statement in split_statements(&note) {
        for claim in ClaimExtractor::default().extract_facts(&note, &statement) {
            words_are_those_of(&claim, &[&statement.words, &statement.borrowed.join(" ")]);
        }
    }
}

fn words_are_those_of(claim: &Claim, texts: &[&str]) {
    let text = texts.join(" ").to_lowercase();
    {
        let parts = [claim.subject.as_deref().unwrap_or_default(), &claim.predicate, &claim.object];
        for word in parts.iter().flat_map(|part| part.split_whitespace()) {
            let lower = word.to_lowercase();
            let put_in = [
                "is", "has", "was", "are", "not", "am", "have", "will", "would", "states", "can", "shall", "open",
                "done",
            ];
            assert!(text.contains(&lower) || put_in.contains(&lower.as_str()), "{word:?} of {}", shown(claim));
        }
    }
}

proptest! {
    #[test]
    fn any_line_is_read_and_nothing_is_made_up(text in "[a-zA-Z ,.;:'()→€0-9-]{0,120}") {
        words_are_the_notes(&text);
    }

    #[test]
    fn no_text_panics(text in any::<String>()) {
        claims(&text);
        claims(&format!("- {text}\n  - {text}: {text}\n"));
    }

    #[test]
    fn sentences_of_common_words_are_read(words in proptest::collection::vec(
        prop::sample::select(vec![
            "Anna", "the", "API", "is", "not", "slow", "and", "moved", "from", "to", "JSON", "who", "said", "that", "if", ",", "switched", "it", "will", "use",
            "Rust", "2024", "in", "March", "since", "never", "no", "longer", "[[Link Text]]", "`code`", "40 €", "—", ";", "neither", "nor", "?", ".",
        ]), 0..30)) {
        let text = words.join(" ");
        claims(&text);
        claims(&format!("- {text}"));
    }
}
