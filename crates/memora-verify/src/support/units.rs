//! Units of measure, however they are written.

use std::collections::HashMap;
use std::sync::LazyLock;

/// The one spelling of a unit.
pub(super) fn unit(word: &str) -> Option<&'static str> {
    static BY_FORM: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
        let forms = |(unit, forms): &(&'static str, &'static [&'static str])| {
            forms.iter().map(|form| (*form, *unit)).collect::<Vec<_>>()
        };
        UNITS.iter().flat_map(forms).collect()
    });
    BY_FORM.get(word).copied()
}

/// The unit that all of a kind are counted in, and how many of it one is.
pub(super) fn base(unit: &str) -> Option<(&'static str, i128)> {
    BASES.iter().find(|(name, ..)| *name == unit).map(|(_, base, factor)| (*base, *factor))
}

/// Units, by their one spelling.
const UNITS: &[(&str, &[&str])] = &[
    ("ns", &["ns", "nanosecond", "nanoseconds"]),
    ("us", &["us", "µs", "μs", "microsecond", "microseconds"]),
    ("ms", &["ms", "millisecond", "milliseconds"]),
    ("s", &["s", "sec", "secs", "second", "seconds"]),
    ("min", &["min", "mins", "minute", "minutes"]),
    ("h", &["h", "hr", "hrs", "hour", "hours"]),
    ("d", &["d", "day", "days"]),
    ("week", &["week", "weeks"]),
    ("month", &["month", "months"]),
    ("year", &["year", "years", "yr", "yrs"]),
    ("decade", &["decade", "decades"]),
    ("%", &["%", "percent", "per cent", "pct"]),
    ("kb", &["kb", "kilobyte", "kilobytes"]),
    ("mb", &["mb", "megabyte", "megabytes"]),
    ("gb", &["gb", "gigabyte", "gigabytes"]),
    ("tb", &["tb", "terabyte", "terabytes"]),
    ("kib", &["kib"]),
    ("mib", &["mib"]),
    ("gib", &["gib"]),
    ("mm", &["mm", "millimetre", "millimetres", "millimeter", "millimeters"]),
    ("cm", &["cm", "centimetre", "centimetres", "centimeter", "centimeters"]),
    ("m", &["m", "metre", "metres", "meter", "meters"]),
    ("km", &["km", "kilometre", "kilometres", "kilometer", "kilometers"]),
    ("mile", &["mile", "miles"]),
    ("mg", &["mg", "milligram", "milligrams", "milligramme", "milligrammes"]),
    ("g", &["g", "gram", "grams"]),
    ("kg", &["kg", "kilo", "kilos", "kilogram", "kilograms"]),
    ("ml", &["ml", "millilitre", "millilitres", "milliliter", "milliliters"]),
    ("cl", &["cl"]),
    ("dl", &["dl"]),
    ("l", &["l", "litre", "litres", "liter", "liters"]),
    ("eur", &["€", "eur", "euro", "euros"]),
    ("usd", &["$", "usd", "dollar", "dollars"]),
    ("gbp", &["£", "gbp", "pound", "pounds"]),
    ("jpy", &["¥", "jpy", "yen", "円"]),
    ("chf", &["chf"]),
    ("hz", &["hz"]),
    ("khz", &["khz"]),
    ("mhz", &["mhz"]),
    ("ghz", &["ghz"]),
    ("px", &["px"]),
    ("w", &["w", "watt", "watts"]),
    ("kw", &["kw", "kilowatt", "kilowatts"]),
    ("wh", &["wh"]),
    ("kwh", &["kwh"]),
    ("v", &["v", "volt", "volts"]),
    ("m2", &["m2", "m²", "sqm"]),
    ("kcal", &["kcal", "kilocalorie", "kilocalories"]),
    ("c", &["°c", "celsius"]),
    ("f", &["°f", "fahrenheit"]),
];

/// Units with the one of their kind that they are counted in, and how many of it they are.
const BASES: &[(&str, &str, i128)] = &[
    ("us", "ns", 1_000),
    ("ms", "ns", 1_000_000),
    ("s", "ns", 1_000_000_000),
    ("min", "ns", 60_000_000_000),
    ("h", "ns", 3_600_000_000_000),
    ("d", "ns", 86_400_000_000_000),
    ("week", "ns", 604_800_000_000_000),
    ("year", "month", 12),
    ("decade", "month", 120),
    ("cm", "mm", 10),
    ("m", "mm", 1_000),
    ("km", "mm", 1_000_000),
    ("g", "mg", 1_000),
    ("kg", "mg", 1_000_000),
    ("cl", "ml", 10),
    ("dl", "ml", 100),
    ("l", "ml", 1_000),
    ("kw", "w", 1_000),
    ("kwh", "wh", 1_000),
    ("khz", "hz", 1_000),
    ("mhz", "hz", 1_000_000),
    ("ghz", "hz", 1_000_000_000),
];
