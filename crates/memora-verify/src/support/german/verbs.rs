//! German verbs: one stem for the forms of a verb, with what each form tells.
//!
//! A form may be read in several ways (`leite` of *leiten*, of an old *leien*): all are kept, and two words are of one verb if one
//! reading is the same. The one rule to know: **a reading names its tense**, so that what was never becomes what is.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::words::{PARTICLES, auxiliary, is_in};

/// What a form of a verb tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Tense {
    Present,
    /// Preterite, or perfect: which of the two says nothing.
    Past,
    Participle,
    Infinitive,
    /// `sei`, `käme`: it is said not to be so, or by somebody else.
    Subjunctive,
    /// *wird verkauft*
    PassivePresent,
    /// *wurde verkauft*
    PassivePast,
    /// As it is written, if it is no verb.
    Plain,
}

/// One way to read a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reading {
    pub(super) stem: String,
    pub(super) tense: Tense,
}

/// Infinitive, the stem of a present that changes it (or `-`), preterite, participle.
const STRONG: &str = "
beginnen - begann begonnen
beissen - biss gebissen
bergen birg barg geborgen
biegen - bog gebogen
bieten - bot geboten
binden - band gebunden
bitten - bat gebeten
blasen bläs blies geblasen
bleiben - blieb geblieben
braten brät briet gebraten
brechen brich brach gebrochen
brennen - brannte gebrannt
bringen - brachte gebracht
denken - dachte gedacht
dringen - drang gedrungen
empfehlen empfiehl empfahl empfohlen
essen iss ass gegessen
fahren fähr fuhr gefahren
fallen fäll fiel gefallen
fangen fäng fing gefangen
finden - fand gefunden
fliegen - flog geflogen
fliehen - floh geflohen
fliessen - floss geflossen
fressen friss frass gefressen
frieren - fror gefroren
geben gib gab gegeben
gehen - ging gegangen
gelingen - gelang gelungen
gelten gilt galt gegolten
geniessen - genoss genossen
geschehen geschieh geschah geschehen
gewinnen - gewann gewonnen
giessen - goss gegossen
gleichen - glich geglichen
graben gräb grub gegraben
greifen - griff gegriffen
halten hält hielt gehalten
hängen - hing gehangen
heben - hob gehoben
heissen - hiess geheissen
helfen hilf half geholfen
kennen - kannte gekannt
klingen - klang geklungen
kommen - kam gekommen
kriechen - kroch gekrochen
laden läd lud geladen
lassen läss liess gelassen
laufen läuf lief gelaufen
leiden - litt gelitten
leihen - lieh geliehen
lesen lies las gelesen
liegen - lag gelegen
lügen - log gelogen
meiden - mied gemieden
messen miss mass gemessen
nehmen nimm nahm genommen
nennen - nannte genannt
pfeifen - pfiff gepfiffen
raten rät riet geraten
reiben - rieb gerieben
reissen - riss gerissen
reiten - ritt geritten
rennen - rannte gerannt
riechen - roch gerochen
ringen - rang gerungen
rufen - rief gerufen
saufen säuf soff gesoffen
schaffen - schuf geschaffen
scheiden - schied geschieden
scheinen - schien geschienen
schieben - schob geschoben
schiessen - schoss geschossen
schlafen schläf schlief geschlafen
schlagen schläg schlug geschlagen
schleichen - schlich geschlichen
schliessen - schloss geschlossen
schmeissen - schmiss geschmissen
schmelzen schmilz schmolz geschmolzen
schneiden - schnitt geschnitten
schreiben - schrieb geschrieben
schreien - schrie geschrien
schreiten - schritt geschritten
schweigen - schwieg geschwiegen
schwimmen - schwamm geschwommen
schwinden - schwand geschwunden
schwören - schwor geschworen
sehen sieh sah gesehen
senden - sandte gesandt
singen - sang gesungen
sinken - sank gesunken
sitzen - sass gesessen
sprechen sprich sprach gesprochen
springen - sprang gesprungen
stechen stich stach gestochen
stehen - stand gestanden
stehlen stiehl stahl gestohlen
steigen - stieg gestiegen
sterben stirb starb gestorben
stinken - stank gestunken
stossen stöss stiess gestossen
streichen - strich gestrichen
streiten - stritt gestritten
tragen träg trug getragen
treffen triff traf getroffen
treiben - trieb getrieben
treten tritt trat getreten
trinken - trank getrunken
tun - tat getan
verderben verdirb verdarb verdorben
vergessen vergiss vergass vergessen
verlieren - verlor verloren
verzeihen - verzieh verziehen
wachsen wächs wuchs gewachsen
waschen wäsch wusch gewaschen
weichen - wich gewichen
weisen - wies gewiesen
wenden - wandte gewandt
werben wirb warb geworben
werfen wirf warf geworfen
wiegen - wog gewogen
winden - wand gewunden
wissen weiss wusste gewusst
ziehen - zog gezogen
zwingen - zwang gezwungen
";

/// Prefixes that stay with their verb, and take the *ge-* of the participle.
const PREFIXES: &str = "be ver ent er zer ge miss emp über unter um durch wider hinter voll";

/// Verbs whose perfect is built with *sein*; of others *ist* with a participle tells how it is now.
const WITH_SEIN: &str = "
geh komm fahr flieg lauf renn reis fall bleib sein werden wachs sterb steig sink spring schwimm reit passier geschehen geling
gelang lande land stürz kehr zieh wander rutsch erschein verschwind entsteh tret scheid lauf begegn folg flieh flüch schleich
kriech einschlaf aufwach aufsteh auftauch explodier eintreff fehlschlag heimkehr
";

/// Every way to read a lower-case word as a verb, and as it is written.
pub(super) fn readings(word: &str) -> Vec<Reading> {
    let mut found = vec![Reading { stem: word.to_owned(), tense: Tense::Plain }];
    if let Some((stem, tense)) = auxiliary(word) {
        return vec![Reading { stem: stem.to_owned(), tense }];
    }
    for (prefix, rest) in parted(word) {
        for reading in simple(rest, prefix.is_empty()) {
            let reading = Reading { stem: format!("{prefix}{}", reading.stem), tense: reading.tense };
            if !found.contains(&reading) {
                found.push(reading);
            }
        }
    }
    found
}

/// Whether a word is a preterite of the list, and no participle that looks like one: `bekamt`, not `verschoben`.
pub(super) fn is_strong_past(word: &str) -> bool {
    let forms = |(prefix, rest): (String, &str)| strong(rest, prefix.is_empty());
    let all: Vec<Reading> = parted(word).into_iter().flat_map(forms).collect();
    all.iter().any(|r| r.tense == Tense::Past) && !all.iter().any(|r| r.tense == Tense::Participle)
}

/// Whether the perfect of a verb is built with *sein*.
pub(super) fn goes_with_sein(stem: &str) -> bool {
    parted(stem).iter().any(|(_, rest)| is_in(WITH_SEIN, rest)) || is_in(WITH_SEIN, stem)
}

/// A word whole, and without each prefix that it may have.
fn parted(word: &str) -> Vec<(String, &str)> {
    let mut found = vec![(String::new(), word)];
    for prefix in PREFIXES.split_ascii_whitespace().chain(PARTICLES.iter()) {
        if let Some(rest) = word.strip_prefix(prefix).filter(|rest| rest.chars().count() > 2) {
            found.push((prefix.to_owned(), rest));
            // abzuholen
            if let Some(inner) = rest.strip_prefix("zu").filter(|r| r.ends_with('n') && r.chars().count() > 3) {
                found.push((prefix.to_owned(), inner));
            }
            // vorbereitet, wiedereröffnet
            for second in ["be", "ver", "ent", "er", "zer", "ge"] {
                if let Some(inner) = rest.strip_prefix(second).filter(|inner| inner.chars().count() > 2) {
                    found.push((format!("{prefix}{second}"), inner));
                }
            }
        }
    }
    found
}

/// The readings of a verb without a prefix. A participle without *ge-* is only read behind one (`verkauft`, `verschoben`).
fn simple(word: &str, whole: bool) -> Vec<Reading> {
    let mut found = strong(word, whole);
    let mut add = |stem: &str, tense: Tense| {
        if stem.chars().count() > 1 {
            found.push(Reading { stem: weak_stem(stem), tense });
        }
    };
    if let Some(base) = word.strip_prefix("ge").and_then(|base| base.strip_suffix('t')) {
        add(base, Tense::Participle);
    }
    for (ending, tense) in [
        ("test", Tense::Past),
        ("ten", Tense::Past),
        ("tet", Tense::Past),
        ("te", Tense::Past),
        ("st", Tense::Present),
        ("t", Tense::Present),
        ("e", Tense::Present),
        ("en", Tense::Present),
        ("n", Tense::Present),
        ("en", Tense::Infinitive),
        ("n", Tense::Infinitive),
    ] {
        let Some(base) = word.strip_suffix(ending) else { continue };
        // `sammeln`, `ändern`: only behind l and r.
        if ending != "n" || base.ends_with("el") || base.ends_with("er") {
            add(base, tense);
        }
        if ending == "t" && (!whole || base.ends_with("ier")) {
            add(base, Tense::Participle);
        }
    }
    found
}

/// `arbeite` is `arbeit`: the e between a t or d and the ending.
fn weak_stem(stem: &str) -> String {
    let shorter = stem.strip_suffix('e').filter(|base| base.ends_with(['t', 'd', 'm', 'n', 'h']));
    shorter.unwrap_or(stem).to_owned()
}

/// A form of a strong verb.
struct Strong {
    stem: &'static str,
    tense: Tense,
    /// Whether it only stands behind a prefix: the `schoben` of `verschoben`.
    behind: bool,
}

/// Every form of the strong verbs.
static STRONG_FORMS: LazyLock<HashMap<String, Vec<Strong>>> = LazyLock::new(|| {
    let mut forms: HashMap<String, Vec<Strong>> = HashMap::new();
    for line in STRONG.lines() {
        let parts: Vec<&'static str> = line.split_ascii_whitespace().collect();
        let &[infinitive, changed, past, participle] = parts.as_slice() else { continue };
        let stem = infinitive.strip_suffix("en").or_else(|| infinitive.strip_suffix('n')).unwrap_or(infinitive);
        let mut add = |form: String, tense: Tense, behind: bool| {
            forms.entry(form).or_default().push(Strong { stem, tense, behind });
        };
        for ending in ["", "t", "st"].iter().filter(|_| changed != "-") {
            add(format!("{changed}{ending}"), Tense::Present, false);
        }
        for ending in ["", "en", "n", "st", "t", "est", "et"] {
            add(format!("{past}{ending}"), Tense::Past, false);
        }
        add(participle.to_owned(), Tense::Participle, false);
        if let Some(bare) = participle.strip_prefix("ge").filter(|_| !infinitive.starts_with("ge")) {
            add(bare.to_owned(), Tense::Participle, true);
        }
    }
    forms
});

fn strong(word: &str, whole: bool) -> Vec<Reading> {
    let forms = STRONG_FORMS.get(word).map(Vec::as_slice).unwrap_or_default();
    let may_be = forms.iter().filter(|form| !(form.behind && whole));
    may_be.map(|form| Reading { stem: form.stem.to_owned(), tense: form.tense }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meet(a: &str, b: &str) -> bool {
        let stems = |word: &str| -> Vec<String> {
            readings(word).into_iter().filter(|r| r.tense != Tense::Plain).map(|r| r.stem).collect()
        };
        stems(a).iter().any(|stem| stems(b).contains(stem))
    }

    #[test]
    fn forms_of_one_verb_meet_and_others_do_not() {
        for (a, b) in [
            ("kaufte", "gekauft"),
            ("leitet", "leitete"),
            ("verschob", "verschoben"),
            ("abgeholt", "abholt"),
            ("abzuholen", "abgeholt"),
            ("nahm", "genommen"),
            ("fährt", "gefahren"),
            ("vorbereitet", "vorbereitete"),
            ("reserviert", "reservierte"),
            ("schloss", "schliesst"),
            ("abgeschlossen", "abschliesst"),
        ] {
            assert!(meet(a, b), "{a} {b}");
        }
        for (a, b) in [("kaufte", "verkaufte"), ("ging", "kam"), ("holte", "abgeholt"), ("legt", "liegt")] {
            assert!(!meet(a, b), "{a} {b}");
        }
    }
}
