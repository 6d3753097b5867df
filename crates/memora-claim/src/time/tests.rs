//! Tables of sentences: what each expression is, how it stands, and what is none.

use memora_vault::PartialDate;

use super::*;

/// Each expression as `words | role | when`.
#[track_caller]
fn check(text: &str, expect: &[&str]) {
    let found: Vec<String> = find_times(text)
        .into_iter()
        .map(|time| {
            let words = text.get(time.words.clone()).expect("in bounds");
            let phrase = text.get(time.phrase.clone()).expect("in bounds");
            assert!(phrase.ends_with(words), "{phrase:?} ends with {words:?}");
            format!("{words} | {} | {}", time.role, time.when)
        })
        .collect();
    assert_eq!(found, expect, "{text}");
}

/// First and last of the only expression, for a note of Wednesday, 8 May 2024.
#[track_caller]
fn resolves(text: &str, expect: &str) {
    resolves_at(text, "2024-05-08", expect);
}

#[track_caller]
fn resolves_at(text: &str, anchor: &str, expect: &str) {
    let found = find_times(text);
    let [time] = found.as_slice() else { panic!("{text}: {found:?}") };
    let dates = time
        .when
        .resolve(PartialDate::parse(anchor))
        .map(|(first, last)| if first == last { first.to_string() } else { format!("{first}..{last}") });
    assert_eq!(dates.as_deref().unwrap_or("none"), expect, "{text} at {anchor}: {}", time.when);
}

#[test]
fn written_dates() {
    check("We met on 12 March 2024.", &["12 March 2024 | at | 2024-03-12"]);
    check("March 12th, 2024 was cold", &["March 12th, 2024 | at | 2024-03-12"]);
    check("on the 3rd of April, 2021 it rained", &["3rd of April, 2021 | at | 2021-04-03"]);
    check("Signed Friday, 12 Jan 2024", &["Friday, 12 Jan 2024 | at | 2024-01-12"]);
    check("It shipped in Mar. 2024", &["Mar. 2024 | at | 2024-03"]);
    check("opened in March of 2024", &["March of 2024 | at | 2024-03"]);
    check("**May 2024**: new office", &["May 2024 | at | 2024-05"]);
}

#[test]
fn figures() {
    check("built 2024-03-12, sold 2024/04/01", &["2024-03-12 | at | 2024-03-12", "2024/04/01 | at | 2024-04-01"]);
    check("seen 2024-03-12T09:30:00 there", &["2024-03-12T09:30:00 | at | 2024-03-12"]);
    check("as of 2024-03 it runs", &["2024-03 | since | 2024-03"]);
    check("planned for 2024-W12", &["2024-W12 | at | 2024-03-18..2024-03-24"]);
    check("am 12.03.2024", &["12.03.2024 | at | 2024-03-12"]);
    check("paid 25/03/2024 and 03/26/2024", &["25/03/2024 | at | 2024-03-25", "03/26/2024 | at | 2024-03-26"]);
    check("due:2024-03-12", &["2024-03-12 | due | 2024-03-12"]);
    check("Deadline: 2024-06-30", &["2024-06-30 | due | 2024-06-30"]);
    check("seen:2024-03-12", &["2024-03-12 | at | 2024-03-12"]);
}

#[test]
fn figures_that_are_no_dates() {
    for text in [
        "version 2024.1",
        "version 2.0.2024",
        "v1.2.2024",
        "release 3.4.2024",
        "ticket ABC-2024-03-12",
        "see CVE-2024-0312",
        "on 2024-13-40",
        "on 30.02.2024",
        "id 2024-03-12-99",
        "https://example.org/2024/03/12/post",
        "1,2024 and 2024,5",
    ] {
        check(text, &[]);
    }
}

#[test]
fn a_date_with_two_readings_is_a_time_and_no_day() {
    check("paid 03/04/2024", &["03/04/2024 | at | @?"]);
}

#[test]
fn bare_years() {
    check("She moved in 2019.", &["2019 | at | 2019"]);
    check("Since 2020 we use it", &["2020 | since | 2020"]);
    check("In 2019 sales rose", &["2019 | at | 2019"]);
    check("the report of 2018", &["2018 | at | 2018"]);
    check("The old house (1931) stands", &["1931 | at | 1931"]);
    check("in the year 1789", &["1789 | at | 1789"]);
    check("2019: moved north", &["2019 | at | 2019"]);
    check("It was sold in about 1950", &["1950 | at | 1950"]);
    check("in **2017** they left", &["2017 | at | 2017"]);
    check("the 1990s were loud", &["1990s | at | 1990..1999"]);
}

#[test]
fn numbers_that_are_no_years() {
    for text in [
        "2000 users",
        "in 1000 steps",
        "in 2048 steps",
        "room 1984",
        "on page 2019",
        "a total of 2000",
        "it grew by 2000",
        "a run of 1900 km",
        "in 2000 people we trust",
        "from 2000 to 9000 users",
        "listens on port 2024",
        "the year-end 2024x",
        "costs $2024",
        "in $2024",
        "increased from 1900 to 2100",
        "PIN 1999",
        "2024",
        "of 1500 euros",
        "by 2000 percent",
        "in 2019/20",
        "since 2,000 years",
        "reading 1984 again",
    ] {
        check(text, &[]);
    }
}

#[test]
fn parts_of_years() {
    check("Q3 2024 was good", &["Q3 2024 | at | 2024-07..2024-09"]);
    check("the third quarter of 2024", &["third quarter of 2024 | at | 2024-07..2024-09"]);
    check("H1 2023", &["H1 2023 | at | 2023-01..2023-06"]);
    check("the second half of 2023", &["second half of 2023 | at | 2023-07..2023-12"]);
    check("in spring 2024", &["spring 2024 | at | 2024-03..2024-05"]);
    check("the winter of 2023", &["winter of 2023 | at | 2023-12..2024-02"]);
    check("in mid-2023", &["mid-2023 | at | 2023-05..2023-08"]);
    check("early 2022 it began", &["early 2022 | at | 2022-01..2022-04"]);
    check("in late February 2024", &["late February 2024 | at | 2024-02-21..2024-02-29"]);
    check("until the end of 2024", &["end of 2024 | until | 2024-09..2024-12"]);
    check("the early 1990s", &["early 1990s | at | 1990..1992"]);
    check("the late 1990s", &["late 1990s | at | 1996..1999"]);
    check("in the mid 2000's", &["mid 2000's | at | 2003..2005"]);
    check("since the early 1990\u{2019}s", &["early 1990\u{2019}s | since | 1990..1992"]);
    check("in the 1980's", &["1980's | at | 1980..1989"]);
    check("in mid 2000s", &["mid 2000s | at | 2003..2005"]);
    check("the week of 11 May 2026", &["week of 11 May 2026 | at | 2026-05-11..2026-05-17"]);
    check("We met in the week of May 13, 2026.", &["week of May 13, 2026 | at | 2026-05-11..2026-05-17"]);
    check("the week starting 2026-05-11 was", &["week starting 2026-05-11 | at | 2026-05-11..2026-05-17"]);
    check("the week of the 11th of May 2026", &["week of the 11th of May 2026 | at | 2026-05-11..2026-05-17"]);
    check("It closes in Q3", &["Q3 | at | @m07..09~"]);
    check("late last year we moved", &["late last year | at | @-1y"]);
    check("by the end of the month", &["end of the month | due | @0m"]);
}

#[test]
fn roles() {
    check("from 2019 to 2022", &["2019 | since | 2019", "2022 | until | 2022"]);
    check("2019–2022 in Bern", &["2019 | since | 2019", "2022 | until | 2022"]);
    check("between March and May 2024", &["March | since | 2024-03", "May 2024 | until | 2024-05"]);
    check("from November to February 2024", &["November | since | 2023-11", "February 2024 | until | 2024-02"]);
    check("12–14 March 2024", &["12 | since | 2024-03-12", "14 March 2024 | until | 2024-03-14"]);
    check("March 12 – 14, 2024", &["March 12 | since | 2024-03-12", "14, 2024 | until | 2024-03-14"]);
    check("2024-03-01 to 2024-03-05", &["2024-03-01 | since | 2024-03-01", "2024-03-05 | until | 2024-03-05"]);
    check("until March 2024", &["March 2024 | until | 2024-03"]);
    check("as of March 2024", &["March 2024 | since | 2024-03"]);
    check("starting in April 2024", &["April 2024 | since | 2024-04"]);
    check("Send it by Friday.", &["Friday | due | @fri>"]);
    check("before 2020 it was red", &["2020 | before | 2020"]);
    check("after 12 May 2021", &["12 May 2021 | after | 2021-05-12"]);
    check("from June 2024 on", &["June 2024 | since | 2024-06"]);
    check("from last Friday until yesterday", &["last Friday | since | @fri<", "yesterday | until | @-1d"]);
}

#[test]
fn ranges_of_seasons() {
    let until_spring = "spring 2025 | until | 2025-03..2025-05";
    check("2017 to spring 2025", &["2017 | since | 2017", until_spring]);
    check("She worked there 2017 to spring 2025.", &["2017 | since | 2017", until_spring]);
    check("from 2017 to spring 2025", &["2017 | since | 2017", until_spring]);
    check("from 2017 until the spring of 2025", &["2017 | since | 2017", "spring of 2025 | until | 2025-03..2025-05"]);
    check("2017–spring 2025", &["2017 | since | 2017", until_spring]);
    check("(2017 – spring 2025)", &["2017 | since | 2017", until_spring]);
    check("until spring 2025", &[until_spring]);
    check("March 2017 to spring 2025", &["March 2017 | since | 2017-03", until_spring]);
    check("between 2017 and spring 2025", &["2017 | since | 2017", until_spring]);
    check(
        "spring 2019 to autumn 2021",
        &["spring 2019 | since | 2019-03..2019-05", "autumn 2021 | until | 2021-09..2021-11"],
    );
    check("spring 2019 to 2021", &["spring 2019 | since | 2019-03..2019-05", "2021 | until | 2021"]);
    check(
        "from spring to autumn 2021",
        &["spring | since | 2021-03..2021-05", "autumn 2021 | until | 2021-09..2021-11"],
    );
    check("winter to spring 2024", &["winter | since | 2023-12..2024-02", "spring 2024 | until | 2024-03..2024-05"]);
    check("2019 to Q3 2021", &["2019 | since | 2019", "Q3 2021 | until | 2021-07..2021-09"]);
    check("2019 to the end of 2021", &["2019 | since | 2019", "end of 2021 | until | 2021-09..2021-12"]);
    // No range: it ends before it begins, or the number is none of a year.
    check("2027 to spring 2025", &["spring 2025 | at | 2025-03..2025-05"]);
    check("room 2017 to spring 2025", &["spring 2025 | at | 2025-03..2025-05"]);
}

#[test]
fn the_phrase_holds_what_gives_the_role() {
    let text = "I work here since about March 2024, by the way";
    let found = find_times(text);
    let phrases: Vec<_> = found.iter().filter_map(|time| text.get(time.phrase.clone())).collect();
    assert_eq!(phrases, ["since about March 2024"]);
    let text = "open from 2019 to 2022";
    let found = find_times(text);
    let phrases: Vec<_> = found.iter().filter_map(|time| text.get(time.phrase.clone())).collect();
    assert_eq!(phrases, ["from 2019", "to 2022"]);
}

#[test]
fn days_by_name() {
    resolves("I saw it yesterday", "2024-05-07");
    resolves("yesterday's talk", "2024-05-07");
    resolves("done today", "2024-05-08");
    resolves("tomorrow morning", "2024-05-09");
    resolves("this morning it snowed", "2024-05-08");
    resolves("last night it snowed", "2024-05-07");
    resolves("the day before yesterday", "2024-05-06");
    resolves("the day after tomorrow", "2024-05-10");
}

#[test]
fn periods() {
    resolves("last week", "2024-05-01..2024-05-07");
    resolves("next week", "2024-05-09..2024-05-15");
    resolves("this week", "2024-05-06..2024-05-12");
    resolves("last month", "2024-04");
    resolves("next month", "2024-06");
    resolves("last year", "2023");
    resolves("the week before last", "2024-04-24..2024-04-30");
    resolves("last quarter", "2024-01..2024-03");
    resolves("last summer", "2023-06..2023-08");
    resolves("next summer", "2024-06..2024-08");
    resolves("last March", "2024-03");
    resolves("last May", "2023-05");
    resolves("in March last year", "2023-03");
    resolves("the past week", "2024-05-01..2024-05-08");
    resolves("over the last three months", "2024-02..2024-05");
    resolves("in the last two weeks", "2024-04-24..2024-05-08");
}

#[test]
fn weekdays_and_weekends() {
    resolves("last Friday", "2024-05-03");
    resolves("last Wednesday", "2024-05-01");
    resolves("next Tuesday", "2024-05-14");
    resolves("this Friday", "2024-05-10");
    resolves("On Friday I met Ada", "2024-05-03");
    resolves("We will meet on Friday", "2024-05-10");
    resolves("Meeting on Thursday", "2024-05-09");
    resolves("Meeting on Tuesday", "2024-05-07");
    resolves("We are leaving on Tuesday", "2024-05-14");
    resolves("I called him Friday night", "2024-05-03");
    resolves("it broke on Monday last week", "2024-04-29");
    resolves("I saw her Friday.", "2024-05-03");
    resolves("Friday I saw her", "2024-05-03");
    resolves("call Ada Friday at 5", "2024-05-10");
    resolves("last weekend", "2024-05-04..2024-05-05");
    resolves("this past weekend", "2024-05-04..2024-05-05");
    resolves("two weekends ago", "2024-04-27..2024-04-28");
    resolves("We hiked over the weekend", "2024-05-04..2024-05-05");
    resolves("next weekend", "2024-05-11..2024-05-12");
    resolves_at("last weekend", "2024-05-05", "2024-04-27..2024-04-28");
    resolves_at("this weekend", "2024-05-05", "2024-05-04..2024-05-05");
}

#[test]
fn counted() {
    resolves("it rained two nights ago", "2024-05-06");
    resolves("a year or so ago", "2023");
    resolves("a month or two ago", "2024-03..2024-04");
    resolves("two or three days ago", "2024-05-05..2024-05-06");
    resolves("It has been two years since we moved", "2022");
    resolves("three days ago", "2024-05-05");
    resolves("2 weeks ago", "2024-04-21..2024-04-27");
    resolves("a week ago", "2024-04-28..2024-05-04");
    resolves("a couple of months ago", "2024-03");
    resolves("a few days ago", "2024-05-04..2024-05-06");
    resolves("five years ago", "2019");
    resolves("a decade ago", "2014");
    resolves("two weeks back", "2024-04-21..2024-04-27");
    resolves("Launch in three days", "2024-05-11");
    resolves("We will move in two months", "2024-07");
    resolves("two years from now", "2026");
    resolves("I have been running for four months now", "2024-01");
    resolves("She has lived here for ten years", "2014");
    resolves("for the past two years I ran", "2022");
    resolves("We've always known him for five years now", "2019");
    resolves("I haven't smoked for over ten years", "2014");
}

#[test]
fn months_and_days_without_a_year() {
    resolves("It opened in June", "2023-06");
    resolves("It opened in May", "2024-05");
    resolves("It will open in June", "2024-06");
    resolves("It will open in March", "2025-03");
    resolves("fair in June", "2024-06");
    resolves("since October", "2023-10");
    resolves("We met on 12 March", "2024-03-12");
    resolves("We met on December 24th", "2023-12-24");
    resolves("They arrived on the 15th.", "2024-04-15");
    resolves("They will arrive on the 15th of June", "2024-06-15");
    resolves_at("born on 29 February", "2023-03-01", "2020-02-29");
    resolves_at("It was on the 31st.", "2024-03-01", "2024-01-31");
}

#[test]
fn a_year_named_in_the_sentence_is_lent() {
    check("They met in June 1944 and left on 2 August.", &["June 1944 | at | 1944-06", "2 August | at | 1944-08-02"]);
    check("In March he won, after a loss in 2011", &["March | at | 2011-03", "2011 | at | 2011"]);
    check("He left in 1944. On 2 August he came back", &["1944 | at | 1944", "2 August | at | @m08-02<="]);
    check(
        "In 1990 he sang, in 1992 he wrote; in 1995 he quit",
        &["1990 | at | 1990", "1992 | at | 1992", "1995 | at | 1995"],
    );
    check("Founded in 1990, we will meet in June", &["1990 | at | 1990", "June | at | @m06>="]);
}

#[test]
fn borders_of_the_calendar() {
    resolves_at("last month", "2024-03-31", "2024-02");
    resolves_at("a month ago", "2024-01-31", "2023-12");
    resolves_at("yesterday", "2024-03-01", "2024-02-29");
    resolves_at("yesterday", "2023-03-01", "2023-02-28");
    resolves_at("tomorrow", "2023-12-31", "2024-01-01");
    resolves_at("this week", "2024-12-31", "2024-12-30..2025-01-05");
    resolves_at("last quarter", "2024-01-01", "2023-10..2023-12");
    resolves_at("last winter", "2024-02-10", "2022-12..2023-02");
    resolves_at("tomorrow", "9999-12-31", "none");
    resolves_at("yesterday", "0001-01-01", "none");
    resolves_at("last year", "0001", "none");
    resolves_at("9999 days ago", "0001-01-01", "none");
    resolves_at("last winter", "0001-01-01", "none");
}

#[test]
fn what_the_anchor_does_not_know_stays_unknown() {
    resolves_at("yesterday", "2024-05", "none");
    resolves_at("last week", "2024", "none");
    resolves_at("last month", "2024", "none");
    resolves_at("last month", "2024-05", "2024-04");
    resolves_at("last year", "2024", "2023");
    resolves_at("last summer", "2024-05", "2023-06..2023-08");
    let yesterday = TimeExpr::parse("@-1d").expect("a form");
    assert_eq!(yesterday.resolve(None), None);
    assert!(yesterday.is_relative());
}

#[test]
fn words_that_name_no_date() {
    for text in [
        "",
        "at 10:30",
        "May I ask",
        "they may 2 times",
        "march on",
        "sat down",
        "the second half",
        "the sun is out",
        "in 5 minutes",
        "an hour ago",
        "every Monday",
        "on Fridays",
        "from Monday to Friday",
        "for two years",
        "twice a week",
        "recently",
        "I have a room for two nights",
        "She has to stay for three days",
        "the other day",
        "some time ago",
        "since we last spoke",
        "before lunch",
        "until then",
        "after my trip",
        "March",
        "on the 15th floor",
        "on the 2nd attempt",
        "May 5 people come?",
        "I learnt it in three days",
        "you can do it in two weeks",
        "in a week of rain",
        "1.5 years ago",
        "10,000 years ago",
        "spring cleaning",
        "fall over",
        "the last time",
        "last but not least",
        "this is next to it",
        "Black Friday deals",
        "the Sunday paper",
        "two years later",
        "12-03",
        "on Monday mornings",
        "a second ago",
        "`today()` gives a date",
        "where due < date(today)",
        "if year = 2022 then",
        "In November of that year it closed",
        "it was sold the next year",
        "for the next ten years he wrote",
        "flow past a quarter of it",
        "from the 18th and 19th centuries",
        "They met on a rainy Friday.",
        "It was Black Friday.",
    ] {
        check(text, &[]);
    }
}

#[test]
fn validity_takes_start_and_end() {
    let check = |text: &str, from: Option<&str>, until: Option<&str>| {
        let (start, end) = find_validity(text);
        let shown = |when: Option<TimeExpr>| when.map(|when| when.to_string());
        assert_eq!((shown(start).as_deref(), shown(end).as_deref()), (from, until), "{text}");
    };
    check("Kim leads the team since March 2024", Some("2024-03"), None);
    check("We used it from 2019 to 2022", Some("2019"), Some("2022"));
    check("Open until June 2024", None, Some("2024-06"));
    check("We moved last week", Some("@-7d..-1d"), None);
    check("In 2023 I learnt that he lives there since 2010", Some("2010"), None);
    check("Finish the draft by Friday", Some("@?"), None);
    check("They met on 03/04/2025", Some("@?"), None);
    check("It was red before 2020", None, Some("2020"));
    check("It was red after 2020", Some("2020"), None);
    check("It is red", None, None);
}

#[test]
fn validity_is_resolved_against_the_note() {
    let check = |text: &str, anchor: &str, expect: (Option<&str>, Option<&str>)| {
        let valid = resolve_validity(find_validity(text), PartialDate::parse(anchor));
        let shown = |date: Option<PartialDate>| date.map(|date| date.to_string());
        assert_eq!((shown(valid.from).as_deref(), shown(valid.until).as_deref()), expect, "{text}");
    };
    check("We moved last week", "2024-05-08", (Some("2024-05-01"), None));
    check("We rented it from last March until yesterday", "2024-05-08", (Some("2024-03"), Some("2024-05-07")));
    check("It ran till the end of last year", "2024", (None, Some("2023")));
    check("It ran from 2019 until yesterday", "2024", (Some("2019"), None));
    check("It ran since 2030 and until yesterday", "2024-05-08", (None, None));
}

#[test]
fn a_clause_has_its_own_times() {
    let text = "She worked in Bern until 2019, and since 2020 she lives in Graz";
    let found = find_times(text);
    let cut = text.find(", and").expect("two clauses");
    let shown = |(from, until): (Option<TimeExpr>, Option<TimeExpr>)| {
        (from.map(|when| when.to_string()), until.map(|when| when.to_string()))
    };
    assert_eq!(shown(find_clause_validity(&found, 0..cut)), (None, Some("2019".to_owned())));
    assert_eq!(shown(find_clause_validity(&found, cut..text.len())), (Some("2020".to_owned()), None));
}

#[test]
fn the_year_of_a_work_is_only_mentioned() {
    check("The Design of Everyday Things (1988) is about doors.", &["1988 | mentioned | 1988"]);
    check("I read Dune (1965) again.", &["1965 | mentioned | 1965"]);
    check("\u{201c}Attention is all you need\u{201d} (2017) began it", &["2017 | mentioned | 2017"]);
    check("Smith (2019) found the opposite.", &["2019 | mentioned | 2019"]);
    check("Sleep cleans the brain (Xie et al., 2013; Doe and Roe 2021).", &[]);
    check("I moved to Berlin (2019).", &["2019 | at | 2019"]);
    check("She joined New Relic (2015), then Acme.", &["2015 | at | 2015"]);
    check("the company was founded (1998)", &["1998 | at | 1998"]);
    check("the shop opened here (in 1998)", &["1998 | at | 1998"]);
}

#[test]
fn what_something_is_moved_to_is_only_mentioned() {
    let days = ["1 April | mentioned | @m04-01~", "15 April | mentioned | @m04-15~"];
    check("The launch moved from 1 April to 15 April.", &days);
    check("We pushed the launch of the site from 1 April to 15 April.", &days);
    check("The review was postponed until 15 April.", &["15 April | mentioned | @m04-15~"]);
    check("The deadline was moved to 15 April.", &["15 April | mentioned | @m04-15~"]);
    check("We moved to Berlin on 15 April.", &["15 April | at | @m04-15<="]);
    check("The lease runs from 1 April to 15 April.", &["1 April | since | @m04-01~", "15 April | until | @m04-15~"]);
    assert_eq!(find_validity("The launch moved from 1 April to 15 April."), (None, None));
}
