//! Spelling normalization: `organised` becomes `organized`, `colour` becomes `color`.
//!
//! Invariant: **a normalized spelling is for comparison, never for display**, and only words with two accepted
//! spellings change.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

/// Words with their other spelling; endings (`coloured`, `neighbours`) are kept.
const BEGINNINGS: &str = "
colour color | favour favor | honour honor | labour labor | neighbour neighbor | behaviour behavior | harbour harbor
flavour flavor | humour humor | rumour rumor | odour odor | vapour vapor | armour armor | savour savor | endeavour endeavor
tumour tumor | splendour splendor | vigour vigor | parlour parlor | saviour savior | demeanour demeanor
centre center | theatre theater | fibre fiber | litre liter | metre meter | kilometre kilometer | centimetre centimeter
millimetre millimeter | millilitre milliliter | calibre caliber | meagre meager | sombre somber | lustre luster
travell travel | cancell cancel | labell label | modell model | signall signal | fuell fuel | levell level | counsell counsel
quarrell quarrel | channell channel | tunnell tunnel | totall total | dialled dialed | dialling dialing | marvell marvel
grey gray | programme program | licence license | defence defense | offence offense | pretence pretense | practise practice
catalogue catalog | dialogue dialog | analogue analog | tyre tire | plough plow | jewellery jewelry | aluminium aluminum
mould mold | moustache mustache | pyjama pajama | skilful skillful | wilful willful | fulfil fulfill | enrol enroll
instalment installment | draught draft | sceptic skeptic | cosy cozy | cosie cozie | yoghurt yogurt | doughnut donut
manoeuvre maneuver | paediatric pediatric | anaesthe anesthe | gynaecolog gynecolog | orthopaedic orthopedic | diarrhoea diarrhea
foetus fetus | haemorrh hemorrh | leukaemia leukemia | anaemi anemi | oestrogen estrogen | encyclopaedia encyclopedia
mum mom | mummy mommy | maths math | ageing aging | storey story | kerb curb | gaol jail | whisky whiskey | furore furor
analys analyz | paralys paralyz | catalys catalyz
";

/// Stems of words in *-ise* that are never spelled with a *z*.
const ALWAYS_S: &[&str] = &[
    "adv",
    "exerc",
    "prom",
    "surpr",
    "superv",
    "rev",
    "telev",
    "improv",
    "compr",
    "comprom",
    "enterpr",
    "expert",
    "franch",
    "merchand",
    "disgu",
    "desp",
    "dev",
    "exc",
    "inc",
    "parad",
    "pra",
    "prec",
    "conc",
    "dem",
    "ar",
    "ra",
    "no",
    "po",
    "chast",
    "circumc",
    "disfranch",
    "prem",
    "treat",
    "mort",
    "likew",
    "otherw",
    "clockw",
    "lengthw",
    "unw",
    "appr",
    "repr",
    "cru",
    "bru",
    "anyw",
    "crossw",
    "upra",
    "appra",
    "bra",
    "ma",
    "va",
    "tort",
    "turquo",
    "valu",
    "porpo",
];

/// Returns the normalized spelling of a lower-case word.
#[must_use]
pub fn normalize_spelling(word: &str) -> Cow<'_, str> {
    if !word.is_ascii() || word.len() < 4 {
        return Cow::Borrowed(word);
    }
    if let Some(other) = respell_by_prefix(word) {
        return Cow::Owned(other);
    }
    for (ending, other) in
        [("isation", "ization"), ("isations", "izations"), ("ise", "ize"), ("ised", "ized"), ("ises", "izes")]
            .into_iter()
            .chain([("ising", "izing"), ("iser", "izer"), ("isers", "izers")])
    {
        if let Some(base) = word.strip_suffix(ending).filter(|base| base.len() > 2 && !ALWAYS_S.contains(base)) {
            return Cow::Owned(format!("{base}{other}"));
        }
    }
    Cow::Borrowed(word)
}

/// Endings that may follow a listed word.
const ENDINGS: [&str; 20] = [
    "", "s", "es", "ed", "d", "ing", "er", "ers", "ite", "ites", "able", "ful", "less", "ly", "hood", "y", "ist",
    "ism", "al", "a",
];

/// Returns the other spelling of a word that is listed, or that begins with a listed one.
fn respell_by_prefix(word: &str) -> Option<String> {
    static BY_THREE: LazyLock<HashMap<&str, Vec<(&str, &str)>>> = LazyLock::new(|| {
        let mut found: HashMap<&str, Vec<_>> = HashMap::new();
        for (one, other) in BEGINNINGS.split(['|', '\n']).filter_map(|pair| pair.trim().split_once(' ')) {
            found.entry(one.get(..3).unwrap_or(one)).or_default().push((one, other));
        }
        found
    });
    let other = |(one, other): &(&str, &str)| {
        let ending = word.strip_prefix(one).filter(|ending| ENDINGS.contains(ending))?;
        Some(format!("{other}{ending}"))
    };
    BY_THREE.get(word.get(..3)?)?.iter().find_map(other)
}

#[cfg(test)]
mod tests {
    use super::normalize_spelling;

    #[test]
    fn two_spellings_are_one() {
        for (one, other) in [
            ("organised", "organized"),
            ("apologising", "apologizing"),
            ("organisation", "organization"),
            ("colour", "color"),
            ("coloured", "colored"),
            ("favourite", "favorite"),
            ("neighbourhood", "neighborhood"),
            ("centre", "center"),
            ("cancelled", "canceled"),
            ("travelling", "traveling"),
            ("analysed", "analyzed"),
            ("grey", "gray"),
        ] {
            assert_eq!(normalize_spelling(one), normalize_spelling(other), "{one}");
        }
        for word in
            ["advise", "promised", "surprise", "raised", "rise", "noise", "wise", "hour", "tour", "precise", "mumble"]
        {
            assert_eq!(normalize_spelling(word), word);
        }
    }
}
