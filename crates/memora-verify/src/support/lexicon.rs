//! Word lists for English, small and reviewable, and the few words that betray another language.

/// Words that carry no content of their own.
pub(crate) const FUNCTION: &[&str] = &[
    "a", "an", "the", "this", "that", "these", "those", "i", "you", "he", "she", "it", "we", "they", "me", "him", "her",
    "us", "them", "my", "your", "his", "its", "our", "their", "who", "whom", "whose", "which", "what", "when", "where",
    "why", "how", "and", "or", "but", "so", "as", "of", "in", "on", "at", "by", "for", "with", "to", "from", "into",
    "onto", "is", "are", "was", "were", "be", "been", "being", "am", "has", "have", "had", "having", "do", "does", "did",
    "there", "here", "also", "then", "'s", "about", "via", "while", "s", "whereas", "because", "it's", "that's",
    "there's", "according", "i'm", "they're", "he's", "she's", "we're", "you're", "i've", "we've",
];

/// Words that turn a statement round.
pub(crate) const NEGATIONS: &[&str] = &[
    "not", "no", "never", "without", "cannot", "none", "nobody", "nothing", "neither", "nor", "nowhere", "hardly",
    "barely", "scarcely", "seldom", "rarely", "lack", "fail", "refus", "den", "deny", "except", "false", "untrue", "unless",
    "nicht", "kein", "keine", "keinen", "keiner", "keinem", "nie", "niemals", "ohne",
];

/// Words that keep a statement from being asserted outright; stems.
pub(crate) const HEDGES: &[&str] = &[
    "may", "might", "could", "would", "should", "can", "will", "shall", "if", "whether", "mayb", "maybe", "perhap",
    "possib", "possibly", "probab", "probably", "likely", "unlike", "unlikely", "alleged", "alleg", "reported",
    "supposed", "supposedly", "rumour", "rumor", "almost", "near", "nearly", "consider", "propos", "proposal", "hop",
    "hope", "want", "wish", "intend", "expect", "aim", "try", "attempt", "idea", "claim", "believ", "think", "doubt",
    "suggest", "suppos", "guess", "assum", "appear", "seem", "won't", "planned", "plan",
];

/// Pairs that say the opposite of each other; stems.
pub(crate) const ANTONYMS: &[(&str, &str)] = &[
    ("increas", "decreas"), ("ris", "fall"), ("up", "down"), ("gain", "los"), ("win", "los"), ("accept", "reject"),
    ("approv", "reject"), ("start", "stop"), ("start", "end"), ("begin", "end"), ("open", "clos"), ("enabl", "disabl"),
    ("before", "after"), ("above", "below"), ("over", "under"), ("more", "less"), ("more", "fewer"), ("faster", "slower"),
    ("higher", "lower"), ("buy", "sell"), ("join", "leav"), ("hir", "fir"), ("add", "remov"), ("early", "late"),
    ("earli", "lat"), ("first", "last"), ("minimum", "maximum"), ("most", "least"), ("all", "none"), ("always", "never"),
    ("cancel", "postpon"), ("cancel", "confirm"), ("succeed", "fail"), ("pass", "fail"), ("lov", "hat"),
    ("tru", "false"), ("long", "short"), ("big", "small"), ("cheap", "expensiv"), ("grow", "shrink"),
];

/// Prepositions that give a part its role, in groups of equal meaning.
pub(crate) const ROLES: &[&[&str]] = &[
    &["from"], &["to", "into", "until", "till", "towards"], &["by"], &["before"], &["after"], &["since"], &["than"],
    &["over", "above"], &["under", "below"], &["against"], &["without"], &["instead"], &["despite"], &["during"],
];

/// Forms of `be`.
pub(crate) const BE: &[&str] = &["is", "are", "was", "were", "be", "been", "being", "am", "gets", "got"];

/// Pronouns that need somebody named before them.
pub(crate) const PRONOUNS: &[&str] = &["he", "she", "it", "they", "this", "these", "those", "him", "her", "them", "his", "their", "its"];

/// Words of meaning-changing extent: never taken as covered by anything but themselves.
pub(crate) const MONTHS: &[&str] = &[
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
];

/// Weekdays.
pub(crate) const WEEKDAYS: &[&str] =
    &["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// Function words of other languages in Latin script that English doesn't have.
pub(crate) const FOREIGN: &[&str] = &[
    "der", "das", "und", "ist", "nicht", "kein", "keine", "wurde", "wird", "mit", "von", "zu", "den", "dem", "ein",
    "eine", "auf", "für", "sich", "auch", "im", "sind", "le", "la", "les", "des", "est", "une", "dans", "que", "qui",
    "pas", "ne", "sur", "avec", "du", "el", "los", "las", "es", "por", "para", "una", "del", "il", "di", "che", "è",
    "non", "della", "per", "het", "een", "niet", "van", "är", "och", "att", "inte", "og", "det", "ikke", "não", "uma",
    "em", "os", "jest", "nie", "się", "na", "w", "z", "että", "ei", "ve", "bir", "değil", "je", "není",
];

/// Units, by their one spelling.
pub(crate) const UNITS: &[(&str, &[&str])] = &[
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
    ("%", &["%", "percent", "per cent", "pct"]),
    ("kb", &["kb"]), ("mb", &["mb"]), ("gb", &["gb"]), ("tb", &["tb"]), ("kib", &["kib"]), ("mib", &["mib"]),
    ("gib", &["gib"]),
    ("mm", &["mm", "millimetre", "millimetres", "millimeter", "millimeters"]),
    ("cm", &["cm", "centimetre", "centimetres", "centimeter", "centimeters"]),
    ("m", &["m", "metre", "metres", "meter", "meters"]),
    ("km", &["km", "kilometre", "kilometres", "kilometer", "kilometers"]),
    ("mile", &["mile", "miles"]), ("mg", &["mg"]), ("g", &["g", "gram", "grams"]),
    ("kg", &["kg", "kilo", "kilos", "kilogram", "kilograms"]),
    ("l", &["l", "litre", "litres", "liter", "liters"]),
    ("eur", &["€", "eur", "euro", "euros"]), ("usd", &["$", "usd", "dollar", "dollars"]),
    ("gbp", &["£", "gbp", "pound", "pounds"]), ("jpy", &["¥", "jpy", "yen", "円"]), ("chf", &["chf"]),
    ("hz", &["hz"]), ("khz", &["khz"]), ("mhz", &["mhz"]), ("ghz", &["ghz"]), ("px", &["px"]),
    ("c", &["°c", "celsius"]), ("f", &["°f", "fahrenheit"]), ("am", &["am", "a.m"]), ("pm", &["pm", "p.m"]),
];

/// Words that multiply the number before them.
pub(crate) const SCALES: &[(&str, f64)] = &[
    ("k", 1e3), ("thousand", 1e3), ("million", 1e6), ("mio", 1e6), ("bn", 1e9), ("billion", 1e9), ("hundred", 1e2),
    ("dozen", 12.0),
];

/// Numbers as words.
pub(crate) const NUMBERS: &[(&str, f64)] = &[
    ("zero", 0.0), ("one", 1.0), ("two", 2.0), ("three", 3.0), ("four", 4.0), ("five", 5.0), ("six", 6.0), ("seven", 7.0),
    ("eight", 8.0), ("nine", 9.0), ("ten", 10.0), ("eleven", 11.0), ("twelve", 12.0), ("thirteen", 13.0),
    ("fourteen", 14.0), ("fifteen", 15.0), ("sixteen", 16.0), ("seventeen", 17.0), ("eighteen", 18.0),
    ("nineteen", 19.0), ("twenty", 20.0), ("thirty", 30.0), ("forty", 40.0), ("fifty", 50.0), ("sixty", 60.0),
    ("seventy", 70.0), ("eighty", 80.0), ("ninety", 90.0), ("half", 0.5), ("dozen", 12.0), ("twice", 2.0),
];

/// Ordinals as words, from the first.
pub(crate) const ORDINALS: &[&str] =
    &["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
