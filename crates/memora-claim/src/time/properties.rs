//! What holds for any text, any form and any date.

use memora_vault::PartialDate;
use proptest::prelude::*;

use super::*;

#[test]
fn the_text_form_is_read_back() {
    for form in [
        "2024",
        "2024-03",
        "2024-03-12",
        "2024-03..2024-05",
        "@0d",
        "@-1d",
        "@-7d..-1d",
        "@+1d..+7d",
        "@0w",
        "@-1m",
        "@-4m..-2m",
        "@-1q",
        "@+1y",
        "@fri<",
        "@fri<2",
        "@fri>",
        "@fri~",
        "@fri=",
        "@fri=-1",
        "@weekend<=",
        "@m06<",
        "@m06..08<",
        "@m12..02>",
        "@m06-12>=",
        "@m02-29~",
        "@t15<=",
        "@?",
    ] {
        assert_eq!(TimeExpr::parse(form).map(|when| when.to_string()).as_deref(), Some(form));
    }
    for form in [
        "",
        "@",
        "@??",
        "?",
        "@d",
        "@1d",
        "@-1",
        "@-0d",
        "@-1d..-7d",
        "@-1d..-1d",
        "@fri",
        "@fri<0",
        "@fri<1",
        "@foo<",
        "@m13<",
        "@m6<",
        "@m02-30<",
        "@t32<",
        "@t5<",
        "2024-05..2024-03",
        "2024..2024",
        " 2024",
        "@é<",
        "@fri=0",
        "@-1d..1w",
    ] {
        assert_eq!(TimeExpr::parse(form), None, "{form:?}");
    }
}

const PIECES: &str = "\\PC{0,40}|([0-9]{1,5}|[-/.,:()–'] ?| |March |May |last |in |since |from |to |between |and |on the |\
    15th |years |weeks |ago |next |Friday |weekend |for |have |the |end of |mid-|Q3 |winter |2024|é|a few |until ){0,14}";

proptest! {
    #[test]
    fn any_text_is_read(text in PIECES, anchor in "(0001|9999|2024)(-(02-29|12-31|01-01|12))?") {
        let anchor = PartialDate::parse(&anchor);
        let mut end = 0;
        for time in find_times(&text) {
            prop_assert!(text.get(time.words.clone()).is_some_and(|words| !words.is_empty()));
            prop_assert!(text.get(time.phrase.clone()).is_some());
            prop_assert!(end <= time.phrase.start && time.phrase.start <= time.words.start);
            prop_assert!(time.words.end <= time.phrase.end);
            end = time.phrase.end;
            prop_assert_eq!(TimeExpr::parse(&time.when.to_string()), Some(time.when));
            if let Some((first, last)) = time.when.resolve(anchor) {
                prop_assert!(first.first_and_last_day().0 <= last.first_and_last_day().1);
            }
        }
        let _ = find_validity(&text);
    }

    #[test]
    fn any_form_resolves_or_is_none(
        form in "@([-+]?[0-9]{1,10}[dwmqy](\\.\\.[-+]?[0-9]{1,10}[dwmqy])?|(fri|weekend|m0[1-9]|m1[0-2]\\.\\.0[1-9]|m02-29|t31)(<=|>=|~|[<>][0-9]{0,3}|=-?[0-9]{0,3}))",
        year in 1_i16..=9999, month in 1_i8..=12, day in 1_i8..=28,
    ) {
        if let Some(when) = TimeExpr::parse(&form) {
            prop_assert_eq!(when.to_string(), form);
            if let Some((first, last)) = when.resolve(PartialDate::from_ymd(year, month, day)) {
                prop_assert!(first.first_and_last_day().0 <= last.first_and_last_day().1);
            }
        }
    }

    #[test]
    fn sides_lie_where_they_say(year in 3_i16..=9990, month in 1_i8..=12, day in 1_i8..=28, what in "fri|weekend|m06|m12\\.\\.02|m03-31|t30") {
        let anchor = PartialDate::from_ymd(year, month, day);
        let dates = |side: &str| TimeExpr::parse(&format!("{what}{side}")).or_else(|| TimeExpr::parse(&format!("@{what}{side}")))
            .and_then(|when| when.resolve(anchor)).map(|(first, last)| (first.first_and_last_day().0, last.first_and_last_day().1));
        let note = anchor.expect("a day");
        prop_assert!(dates("<").is_some_and(|(_, last)| last < note));
        prop_assert!(dates("<=").is_some_and(|(first, _)| first <= note));
        prop_assert!(dates(">=").is_some_and(|(_, last)| note <= last));
        prop_assert!(dates(">").is_some_and(|(first, _)| note < first));
        prop_assert!(dates("<2") < dates("<"));
        prop_assert!(dates("<") <= dates("~") && dates("~") <= dates(">"));
    }
}
