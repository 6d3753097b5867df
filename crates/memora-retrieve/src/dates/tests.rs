//! What names a date in a question, and what does not.

use proptest::prelude::*;

use super::*;

/// Today is Wednesday, 16 April 2025.
#[track_caller]
fn check(text: &str, expect: &[(&str, &str, &str)]) {
    let today = PartialDate::parse("2025-04-16").expect("a date");
    let found: Vec<(String, String, &str)> = find_dates(text, today)
        .into_iter()
        .map(|range| (range.from.to_string(), range.until.to_string(), text.get(range.text).expect("in bounds")))
        .collect();
    let expect: Vec<(String, String, &str)> =
        expect.iter().map(|&(from, until, words)| (from.into(), until.into(), words)).collect();
    assert_eq!(found, expect, "{text}");
}

#[test]
fn absolute() {
    check(
        "on 2024-03-12, or 2024/03/13?",
        &[("2024-03-12", "2024-03-12", "2024-03-12"), ("2024-03-13", "2024-03-13", "2024/03/13")],
    );
    check(
        "2024-02 and 2024-03-12T09:30",
        &[("2024-02-01", "2024-02-29", "2024-02"), ("2024-03-12", "2024-03-12", "2024-03-12T09:30")],
    );
    check("what did March 2025 bring", &[("2025-03-01", "2025-03-31", "March 2025")]);
    check("14 March 2025", &[("2025-03-14", "2025-03-14", "14 March 2025")]);
    check("on Friday, 14 March 2025", &[("2025-03-14", "2025-03-14", "Friday, 14 March 2025")]);
    check("born in April of 1866", &[("1866-04-01", "1866-04-30", "in April of 1866")]);
    check("December 1,2023", &[("2023-12-01", "2023-12-01", "December 1,2023")]);
    check("5.3 in July, 5.4 later", &[]);
    check("the 14th of March, 2025", &[("2025-03-14", "2025-03-14", "14th of March, 2025")]);
    check("March 14, 2025", &[("2025-03-14", "2025-03-14", "March 14, 2025")]);
    check("am 14. März 2025", &[("2025-03-14", "2025-03-14", "14. März 2025")]);
    check("am 3.4.2025", &[("2025-04-03", "2025-04-03", "3.4.2025")]);
    check("2025年4月12日に何", &[("2025-04-12", "2025-04-12", "2025年4月12日")]);
    check("２０２５年４月の", &[("2025-04-01", "2025-04-30", "２０２５年４月")]);
    check("in 2024", &[("2024-01-01", "2024-12-31", "in 2024")]);
    check("since March 2024", &[("2024-03-01", "9999-12-31", "since March 2024")]);
    check("before 2024", &[("0001-01-01", "2023-12-31", "before 2024")]);
}

/// What a question is read to ask for, a statement of the same words is read to name.
#[test]
fn what_a_question_asks_for_a_statement_can_name() {
    let today = PartialDate::parse("2025-04-16").expect("a date");
    for words in [
        "next summer",
        "next winter",
        "last winter",
        "next quarter",
        "last quarter",
        "last weekend",
        "next weekend",
        "last week",
        "last Tuesday",
        "the week before last",
        "over the next two weeks",
        "the last three months",
        "two weeks ago",
        "yesterday",
        "in 2024-W12",
        "2024-Q3",
        "25/03/2024",
    ] {
        let asked = find_dates(&format!("What did we do {words}?"), today);
        let [asked] = asked.as_slice() else { panic!("{words}: {asked:?}") };
        let named = find_named_periods(&format!("We were in Norway {words}."), Some(today));
        let meets = |period: &Period| {
            let days = |date: PartialDate| date.first_and_last_day();
            days(period.from()).0 <= days(asked.until).1 && days(asked.from).0 <= days(period.until()).1
        };
        assert!(named.iter().any(meets), "{words}: {asked:?}, {named:?}");
    }
}

#[test]
fn no_number_of_a_part_overflows() {
    for nth in 1..=31 {
        for part in ["half", "quarter", "Halbjahr", "Quartal", "Hälfte"] {
            for ending in ["st", "nd", "th", "."] {
                let text = format!("He scored in the {nth}{ending} {part}");
                let _ = find_dates(&text, PartialDate::parse("2025-04-16").expect("a date"));
                let _ = find_named_periods(&text, PartialDate::parse("2025-04-16"));
                let _ = memora_claim::time::find_times(&text);
            }
        }
    }
}

#[test]
fn relative() {
    check("this past week", &[("2025-04-09", "2025-04-16", "past week")]);
    check("since the week before last", &[("2025-03-31", "9999-12-31", "since the week before last")]);
    check("since the last quarter", &[("2025-01-01", "9999-12-31", "since the last quarter")]);
    check("yesterday", &[("2025-04-15", "2025-04-15", "yesterday")]);
    check("was war gestern", &[("2025-04-15", "2025-04-15", "gestern")]);
    check("last week", &[("2025-04-07", "2025-04-13", "last week")]);
    check("last month", &[("2025-03-01", "2025-03-31", "last month")]);
    check("this month", &[("2025-04-01", "2025-04-30", "this month")]);
    check("in the last year", &[("2024-01-01", "2024-12-31", "last year")]);
    check("last Tuesday", &[("2025-04-15", "2025-04-15", "last Tuesday")]);
    check("last Wednesday", &[("2025-04-09", "2025-04-09", "last Wednesday")]);
    check("3 days ago", &[("2025-04-13", "2025-04-13", "3 days ago")]);
    check("先月の会議", &[("2025-03-01", "2025-03-31", "先月")]);
    check("先月は何", &[("2025-03-01", "2025-03-31", "先月")]);
}

#[test]
fn months_and_seasons_without_a_year_are_the_most_recent() {
    check("Where was I in January?", &[("2025-01-01", "2025-01-31", "in January")]);
    check("in May", &[("2024-05-01", "2024-05-31", "in May")]);
    check("in April", &[("2025-04-01", "2025-04-30", "in April")]);
    check("last January", &[("2025-01-01", "2025-01-31", "last January")]);
    check("last April", &[("2024-04-01", "2024-04-30", "last April")]);
    check("in March last year", &[("2024-03-01", "2024-03-31", "in March last year")]);
    check("im Mai", &[("2024-05-01", "2024-05-31", "im Mai")]);
    check("since January", &[("2025-01-01", "9999-12-31", "since January")]);
    check("in the summer", &[("2024-06-01", "2024-08-31", "in the summer")]);
    check("last summer", &[("2024-06-01", "2024-08-31", "last summer")]);
    check("letzten Sommer", &[("2024-06-01", "2024-08-31", "letzten Sommer")]);
    check("this spring", &[("2025-03-01", "2025-05-31", "this spring")]);
    check("last spring", &[("2024-03-01", "2024-05-31", "last spring")]);
    check("last winter", &[("2024-12-01", "2025-02-28", "last winter")]);
    check("on 5 June", &[("2024-06-05", "2024-06-05", "5 June")]);
    check("on the 5th of April", &[("2025-04-05", "2025-04-05", "the 5th of April")]);
    check("on the 15th", &[("2025-04-15", "2025-04-15", "on the 15th")]);
    check("on Tuesday", &[("2025-04-15", "2025-04-15", "on Tuesday")]);
}

#[test]
fn seasons_quarters_weeks_and_parts() {
    check("in the summer of 2019", &[("2019-06-01", "2019-08-31", "in the summer of 2019")]);
    check("summer 2019", &[("2019-06-01", "2019-08-31", "summer 2019")]);
    check("im Sommer 2019", &[("2019-06-01", "2019-08-31", "im Sommer 2019")]);
    check("winter 2019/20", &[("2019-12-01", "2020-02-29", "winter 2019/20")]);
    check("Q3 2021", &[("2021-07-01", "2021-09-30", "Q3 2021")]);
    check("2021-Q3", &[("2021-07-01", "2021-09-30", "2021-Q3")]);
    check("the third quarter of 2021", &[("2021-07-01", "2021-09-30", "the third quarter of 2021")]);
    check("last quarter", &[("2025-01-01", "2025-03-31", "last quarter")]);
    check("the first half of 2021", &[("2021-01-01", "2021-06-30", "the first half of 2021")]);
    check("week 14 of 2022", &[("2022-04-04", "2022-04-10", "week 14 of 2022")]);
    check("2022-W14", &[("2022-04-04", "2022-04-10", "2022-W14")]);
    check("in KW 14 2022", &[("2022-04-04", "2022-04-10", "in KW 14 2022")]);
    check("the week of 5 March 2021", &[("2021-03-01", "2021-03-07", "the week of 5 March 2021")]);
    check("the weekend of 5 March 2021", &[("2021-03-06", "2021-03-07", "the weekend of 5 March 2021")]);
    check("last weekend", &[("2025-04-12", "2025-04-13", "last weekend")]);
    check("early 2021", &[("2021-01-01", "2021-04-30", "early 2021")]);
    check("at the end of March 2021", &[("2021-03-21", "2021-03-31", "the end of March 2021")]);
    check("throughout 2022", &[("2022-01-01", "2022-12-31", "throughout 2022")]);
    check("my notes from 2022", &[("2022-01-01", "2022-12-31", "from 2022")]);
    let week = [("2026-05-11", "2026-05-17")];
    for text in [
        "the week of 11 May 2026",
        "week of May 13, 2026",
        "the week starting on 11 May 2026",
        "the week beginning 2026-05-11",
        "Woche des 11. Mai 2026",
        "Woche ab dem 11. Mai 2026",
    ] {
        check(text, &week.map(|(from, until)| (from, until, text)));
    }
    check("mid 2000's", &[("2003-01-01", "2005-12-31", "mid 2000's")]);
    check("in the late 1990s", &[("1996-01-01", "1999-12-31", "in the late 1990s")]);
}

/// A question for "the tax return for 2022" found nothing, since its year was taken for a time, and no note of that year has it.
#[test]
fn a_year_that_a_thing_has_for_a_name_is_no_time() {
    for text in [
        "When is the tax return for 2022 due?",
        "the budget for 2022",
        "the flood of 2013",
        "who was in the class of 2010",
        "Tax return 2022",
        "music of the 2000's",
    ] {
        check(text, &[]);
    }
    check("What did I do in 2022?", &[("2022-01-01", "2022-12-31", "in 2022")]);
    check("Who came on 2022's trip?", &[("2022-01-01", "2022-12-31", "2022's")]);
    check("Who came on 2022\u{2019}s trip?", &[("2022-01-01", "2022-12-31", "2022\u{2019}s")]);
    check("What were the highlights of 2022?", &[("2022-01-01", "2022-12-31", "of 2022")]);
    check("photos from 2022", &[("2022-01-01", "2022-12-31", "from 2022")]);
}

#[test]
fn counted_from_today() {
    check("two months ago", &[("2025-02-01", "2025-02-28", "two months ago")]);
    check("a year ago", &[("2024-04-01", "2024-04-30", "a year ago")]);
    check("a year ago today", &[("2024-04-16", "2024-04-16", "a year ago today")]);
    check("two years ago", &[("2023-01-01", "2023-12-31", "two years ago")]);
    check("a week ago", &[("2025-04-07", "2025-04-13", "a week ago")]);
    check("the day before yesterday", &[("2025-04-14", "2025-04-14", "the day before yesterday")]);
    check("vorgestern", &[("2025-04-14", "2025-04-14", "vorgestern")]);
    check("vor zwei Wochen", &[("2025-03-31", "2025-04-06", "vor zwei Wochen")]);
    check("the past three days", &[("2025-04-13", "2025-04-16", "the past three days")]);
    check("in the last two weeks", &[("2025-04-02", "2025-04-16", "in the last two weeks")]);
    check("this week", &[("2025-04-14", "2025-04-20", "this week")]);
    check("this morning", &[("2025-04-16", "2025-04-16", "this morning")]);
    check("last night", &[("2025-04-15", "2025-04-15", "last night")]);
}

#[test]
fn ranges() {
    check("between March and May 2021", &[("2021-03-01", "2021-05-31", "between March and May 2021")]);
    check("between November and January 2021", &[("2020-11-01", "2021-01-31", "between November and January 2021")]);
    check("between March 2020 and May 2021", &[("2020-03-01", "2021-05-31", "between March 2020 and May 2021")]);
    check("from 3 to 9 May 2021", &[("2021-05-03", "2021-05-09", "from 3 to 9 May 2021")]);
    check("vom 3. bis 9. Mai 2021", &[("2021-05-03", "2021-05-09", "vom 3. bis 9. Mai 2021")]);
    check("zwischen März und Mai 2021", &[("2021-03-01", "2021-05-31", "zwischen März und Mai 2021")]);
    check("from March to May", &[("2024-03-01", "2024-05-31", "from March to May")]);
    check("May 3-9, 2021", &[("2021-05-03", "2021-05-09", "May 3-9, 2021")]);
    check("from 28 April to 3 May 2021", &[("2021-04-28", "2021-05-03", "from 28 April to 3 May 2021")]);
    check("from 2019 to 2021", &[("2019-01-01", "2021-12-31", "from 2019 to 2021")]);
    check("2024-03-01 to 2024-03-07", &[("2024-03-01", "2024-03-07", "2024-03-01 to 2024-03-07")]);
    check("between 3 and 4 people in March 2021", &[("2021-03-01", "2021-03-31", "in March 2021")]);
}

#[test]
fn what_stands_in_quotation_marks_is_words() {
    check("who wrote \"in March 2025\"", &[]);
    check("„März 2025“ in 2024", &[("2024-01-01", "2024-12-31", "in 2024")]);
    check("\"never closed in 2024", &[("2024-01-01", "2024-12-31", "in 2024")]);
}

#[test]
fn a_statement_is_read_more_strictly() {
    let named = |text: &str| find_named_periods(text, PartialDate::parse("2025-04-16")).len();
    assert_eq!(named("we met in January"), 0);
    assert_eq!(named("we met between March and May"), 0);
    assert_eq!(named("we met on 14 March 2025"), 1);
    assert_eq!(named("we met yesterday"), 1);
    let week = find_named_periods("We are in Lyon the week of 11 May 2026.", None);
    let week: Vec<String> = week.iter().map(|days| format!("{} {}", days.from(), days.until())).collect();
    assert_eq!(week, ["2026-05-11 2026-05-17"]);
    assert_eq!(named("https://example.org/2022/04/05/a-post.html"), 0);
}

#[test]
fn what_is_no_date_is_left_alone() {
    for text in ["", "may I ask", "2024 apples", "2025-13-40", "version 1.2.2024x", "in 10 minutes", "March", "12-03"] {
        check(text, &[]);
    }
}

proptest! {
    #[test]
    fn any_text_is_read(text in "\\PC{0,40}|([0-9]{1,5}|[-/. ]|March|last|in|since|January|the|of|week|from|to|between|and|a|年|月|日|ago|years){0,12}") {
        for range in find_dates(&text, PartialDate::parse("0001-01-01").expect("a date")) {
            prop_assert!(text.get(range.text.clone()).is_some());
            prop_assert!(range.from.day().is_some() && range.until.day().is_some());
        }
    }
}
