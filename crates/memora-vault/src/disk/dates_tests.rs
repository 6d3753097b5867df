//! Formats as people set them in the wild.

use super::*;

#[track_caller]
fn check(format: &str, name: &str, expect: &str) {
    let format = DateFormat::new(format).expect("a format that is read");
    assert_eq!(format.parse(name).map(|d| d.to_string()).unwrap_or_default(), expect, "{name}");
}

#[test]
fn daily_formats() {
    check("YYYY-MM-DD", "2024-03-12", "2024-03-12");
    check("YYYY-DD-MM", "2024-03-12", "2024-12-03");
    check("YYYYMMDD", "20240312", "2024-03-12");
    check("YY.M.D", "24.3.7", "2024-03-07");
    check("DD.MM.YYYY", "12.03.2024", "2024-03-12");
    check("YYYY/MM/YYYY-MM-DD", "2024/03/2024-03-12", "2024-03-12");
    check("YYYY/MM-MMMM/YYYY-MM-DD-dddd", "2024/03-March/2024-03-12-Tuesday", "2024-03-12");
    check("dddd, MMMM Do YYYY", "Tuesday, March 12th 2024", "2024-03-12");
    check("D MMM YYYY", "3 Sep 2024", "2024-09-03");
    check("MMM D, YYYY", "May 3, 2024", "2024-05-03");
    check("YYYY年M月D日", "2024年3月12日", "2024-03-12");
    check("[Daily] YYYY-MM-DD", "Daily 2024-03-12", "2024-03-12");
    check("YYYY-MM-DD[T]HHmm", "2024-03-12T0930", "2024-03-12");
    check("YYYY-MM-DD hh-mm A", "2024-03-12 09-30 PM", "2024-03-12");
}

#[test]
fn a_name_the_format_did_not_write_has_no_date() {
    check("YYYY-MM-DD", "2024-03-12 Meeting", "");
    check("YYYY-MM-DD", "2024-3-12", "");
    check("YYYY-MM-DD", "2024-02-30", "");
    check("YYYY-MM-DD", "２０２４-03-12", "");
    check("YYYY/MM/YYYY-MM-DD", "2024/04/2024-03-12", "");
    check("YYYY-MM-DD dddd", "2024-03-12 Monday", "");
    check("YYYY-MM-DD", "", "");
    check("YYYY-MM-DD", "日記", "");
}

#[test]
fn a_month_in_another_language_is_unknown_unless_a_number_says_it() {
    check("D. MMMM YYYY", "12. März 2024", "");
    check("MMMM YYYY", "mars 2024", "");
    check("YYYY/MMMM", "2024/marzo", "");
    check("YYYY/MM-MMMM/YYYY-MM-DD dddd", "2024/03-März/2024-03-12 Dienstag", "2024-03-12");
    check("YYYY-MM-DD ddd", "2024-03-12 火", "2024-03-12");
}

#[test]
fn months_quarters_and_years() {
    check("YYYY-MM", "2024-03", "2024-03");
    check("MMMM YYYY", "March 2024", "2024-03");
    check("YYYY-[Q]Q", "2024-Q1", "2024");
    check("YYYY-[Q]Q", "2024-Q5", "");
    check("YYYY", "2024", "2024");
    check("MM-DD", "03-12", "");
}

#[test]
fn a_week_is_as_exact_as_all_its_days_allow() {
    // 11 to 17 March (Monday) or 10 to 16 March (Sunday): in March either way.
    check("gggg-[W]ww", "2024-W11", "2024-03");
    check("GGGG-[W]WW", "2024-W11", "2024-03");
    check("YYYY-[W]WW", "2024-W11", "2024-03");
    // 29 January to 4 February.
    check("GGGG-[W]WW", "2024-W05", "2024");
    // 30 December 2024 to 5 January 2025.
    check("GGGG-[W]WW", "2025-W01", "");
    check("YYYY-[W]ww", "2024-W01", "");
    check("GGGG-[W]WW", "2024-W54", "");
    check("GGGG-[W]W", "2024-W9", "2024");
}

#[test]
fn formats_that_cannot_be_read_are_told() {
    for format in ["YYYY-DDDD", "x", "YYYYMD", "YYYY-MM-DD Z", "", "E"] {
        assert_eq!(DateFormat::new(format), None, "{format}");
    }
}

#[test]
fn names_that_begin_with_a_date_need_no_settings() {
    let date = |stem| parse_leading_date(stem).map(|d| d.to_string());
    for stem in ["2024-03-12", "2024-03-12 Meeting", "2024-03-12_x", "20240312", "20240312 Besprechung", "2024-03-12é"]
    {
        assert_eq!(date(stem).as_deref(), Some("2024-03-12"), "{stem}");
    }
    for stem in ["2024-03-123", "202403121530 zettel", "2024-03", "2024", "12345678", "2024-13-01", "é024-03-12", ""] {
        assert_eq!(date(stem), None, "{stem}");
    }
}

#[test]
fn a_day_of_this_century_at_either_end_of_a_name_is_its_date() {
    let date = |stem| parse_day_in_words(stem).map(|d| d.to_string());
    for stem in [
        "22 April 2025",
        "22 April 2025 Tuesday",
        "Tuesday, April 22nd, 2025",
        "Meeting 22 April 2025",
        "Standup 2025-04-22",
        "22 Apr 2025 with Jim",
    ] {
        assert_eq!(date(stem).as_deref(), Some("2025-04-22"), "{stem}");
    }
    for stem in [
        "Berlin 9 November 1989",
        "April 2025",
        "22 April",
        "Version 2025 4 31",
        "May 5 people",
        "a 22 April 2025 b",
        "",
    ] {
        assert_eq!(date(stem), None, "{stem}");
    }
}

proptest::proptest! {
    #[test]
    fn no_format_and_no_name_panics(format in ".{0,20}", name in ".{0,20}") {
        let _ = DateFormat::new(&format).and_then(|format| format.parse(&name));
        let _ = parse_leading_date(&name);
        let _ = parse_day_in_words(&name);
    }
}
