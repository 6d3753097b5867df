//! Little words of German, small and reviewable: what holds others together, and what turns or bounds what is said.

use super::super::lexicon::Words;

/// Whether a few words, parted by white space, hold a word.
pub(super) fn is_in(few: &str, word: &str) -> bool {
    few.split_ascii_whitespace().any(|entry| entry == word)
}

/// Words that German has and its neighbours lack: by them a text is known as German.
pub(in crate::support) static GERMAN: Words = Words::of(
"
der das den dem des und oder aber sondern denn weil dass daß wenn falls ob obwohl damit sowie bzw
ein eine einen einem einer eines kein keine keinen keinem keiner keines nicht nie niemals nichts niemand ohne weder
ich du er sie wir ihr ihn ihm mich mir dich dir uns euch ihnen sich
mein meine meinen meinem meiner dein deine deinen deinem deiner sein seine seinen seinem seiner ihre ihren ihrem ihrer
unser unsere unseren unserem unserer dieser diese dieses diesen diesem jeder jede jedes jeden jedem
ist sind wird werden wurde wurden worden habe haben hatte hatten hast habt waren wäre hätte würde bist seid gewesen
kann können konnte könnte muss müssen musste müsste soll sollen sollte wollen wollte darf dürfen durfte möchte mag
auf aus bei beim mit nach seit von vom zu zum zur für durch gegen um über unter hinter neben zwischen wegen während bis
im ins ans ab auch noch nur schon bereits sehr mehr wie als nun jetzt heute gestern morgen immer oft hier dort
kommt geht macht gibt heißt kostet liegt steht wohnt arbeitet fährt beginnt endet dauert braucht leitet nutzt gehört
zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig hundert tausend
montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag
januar februar märz mai juni juli oktober dezember uhr prozent stunde stunden woche wochen tag tage monat monate jahr jahre
euro minuten sekunden frau alle einige viele manche vielleicht wohl kaum selbst selten kam kamen ging gingen blieb fuhr gab fand
vor nie je montags dienstags mittwochs donnerstags freitags samstags sonntags täglich wöchentlich
morgens abends mittags nachts vormittags nachmittags nimmt spricht trifft hilft gilt isst sieht liest kauft verkauft zahlt bezahlt
spielt lernt studiert schreibt trinkt zieht bleibt bringt holt ruft fragt sagt glaubt denkt lebt stellt setzt legt bekommt kostet
kaufte verkaufte wohnte arbeitete leitete zahlte spielte holte stellte gekauft verkauft bezahlt geleitet gezogen gegangen gekommen
nahm schrieb traf zog hielt ließ sah dort dann weiter lange viel wenig meist eher beide erst dabei damals früher später bald
",
);

/// German words that English has, too: they tell nothing.
pub(in crate::support) static AMBIGUOUS: Words =
    Words::of("die in an am was so man also bin hat war will gut wer mag uhr sie herr euro acht es per");

/// Articles and what stands in their place, with the cases that each can show (see [`Cases`](super::cases::Cases)).
pub(super) static ARTICLES: Words = Words::of(
    "
der die das den dem des ein eine einen einem einer eines
dieser diese dieses diesen diesem jener jene jenes jenen jenem derselbe dieselbe dasselbe
",
);

/// The stems of words that say whose it is; an ending follows.
pub(super) static POSSESSIVES: Words = Words::of("mein dein sein ihr unser euer eur unsr");

/// Those of them that may not be forms of *to be*, or pronouns, without an ending.
pub(super) static POSSESSIVES_BARE: Words = Words::of("mein dein unser euer");

/// Who it is.
pub(super) static PRONOUNS: Words = Words::of(
"
ich du er sie es wir ihr mich dich ihn uns euch mir dir ihm ihnen man wer wen wem jemand jemanden jemandem niemand niemanden
niemandem einander
",
);

/// Pronouns that need somebody named before them.
pub(super) static STANDING_FOR: Words =
    Words::of("er sie es ihn ihm ihnen dieser diese dieses seine sein ihre ihren seinen");

/// Prepositions, each with its plain form.
pub(super) fn preposition(word: &str) -> Option<&'static str> {
    const CONTRACTED: &[(&str, &str)] = &[
        ("im", "in"),
        ("ins", "in"),
        ("am", "an"),
        ("ans", "an"),
        ("vom", "von"),
        ("zum", "zu"),
        ("zur", "zu"),
        ("beim", "bei"),
        ("aufs", "auf"),
        ("fürs", "für"),
        ("ums", "um"),
        ("übers", "über"),
        ("durchs", "durch"),
        ("unterm", "unter"),
        ("vors", "vor"),
        ("hinterm", "hinter"),
    ];
    const PLAIN: &str = "in an auf aus bei mit nach seit von zu für durch gegen um über unter vor hinter neben zwischen wegen \
        während trotz ab bis laut pro per gegenüber innerhalb ausserhalb als wie je statt anstatt ohne ausser inklusive samt \
        entlang mithilfe aufgrund anhand mangels dank gemäss via abzüglich zuzüglich binnen";
    let contracted = CONTRACTED.iter().find(|(form, _)| *form == word).map(|(_, plain)| *plain);
    contracted.or_else(|| PLAIN.split_ascii_whitespace().find(|plain| *plain == word))
}

/// The article that hides in a preposition.
pub(super) fn hidden_article(word: &str) -> Option<&'static str> {
    match word {
        "im" | "am" | "vom" | "zum" | "beim" | "unterm" | "hinterm" => Some("dem"),
        "ins" | "ans" | "aufs" | "fürs" | "ums" | "übers" | "durchs" | "vors" => Some("das"),
        "zur" => Some("der"),
        _ => None,
    }
}

/// What may be split off a verb to the end of its clause.
pub(super) static PARTICLES: Words = Words::of(
"
ab an auf aus bei ein fest fort frei her heraus herunter hin hinaus hinein hinzu los mit nach nieder statt teil um unter vor
voran voraus vorbei weg weiter wieder zu zurück zusammen über durch dabei dazu entgegen fehl fern heim herum hoch bereit bekannt
runter raus rein rauf hinunter auseinander kennen kaputt voll tot
",
);

/// What turns a statement round.
pub(super) static NEGATIONS: Words = Words::of(
"
nicht kein keine keinen keinem keiner keines keinerlei nie niemals niemand niemanden niemandem nichts nirgends nirgendwo ohne
weder noch kaum schwerlich selten ausser statt anstatt keineswegs keinesfalls fehlt fehlen fehlte
",
);

/// What keeps it from being said outright, of all, or without bounds.
pub(super) static HEDGES: Words = Words::of(
"
soll sollen sollst sollt sollte sollten kann können kannst könnt konnte konnten könnte könnten muss müssen musst müsst musste
mussten müsste müssten darf dürfen dürft durfte durften dürfte dürften möchte möchten möchtest mag mögen will wollen willst
wollt wollte wollten würde würden wäre wären hätte hätten sei seien werde wird werden vielleicht womöglich möglicherweise
wohl wahrscheinlich vermutlich voraussichtlich angeblich offenbar anscheinend scheinbar eventuell evtl gegebenenfalls ggf
eigentlich geplant plant planen planten plante beabsichtigt vorgesehen angedacht vorläufig hoffentlich scheint scheinen schien
wenn falls sofern solange sobald bis bevor ob laut
alle allen aller alles jede jeder jedes jeden jedem einige einigen einiger manche manchen mancher viele vielen vieler mehrere
mehreren wenige wenigen meiste meisten beide beiden sämtliche sämtlichen ein paar etliche teils teilweise meist meistens
manchmal gelegentlich oft öfter häufig immer stets fast beinahe nahezu knapp rund etwa circa ca ungefähr mindestens höchstens
maximal minimal wenigstens zumindest über unter mehr weniger genau nur bloss lediglich ausschliesslich allein erst sogar
selbst grösstenteils überwiegend insgesamt zusammen gemeinsam je jeweils früher damals ehemals einst vorher ursprünglich
normalerweise üblicherweise grundsätzlich halb sonst andernfalls ansonsten oder beziehungsweise bzw
",
);

/// That it is so now: a note says so of when it was written.
pub(super) static NOW: Words = Words::of("gerade derzeit zurzeit momentan aktuell jetzt nun inzwischen mittlerweile");

/// What bounds the word behind it.
pub(super) static FOCUS: Words = Words::of(
"
nur bloss lediglich ausschliesslich allein erst sogar selbst fast beinahe nahezu knapp rund etwa circa ca ungefähr mindestens
höchstens maximal minimal wenigstens zumindest mehr weniger genau gerade halb zu so auch
",
);

/// What only says how or when, and may be left out of what was so once.
pub(super) static ADVERBS: Words = Words::of(
"
gestern vorgestern heute morgen übermorgen neulich kürzlich vorhin soeben abends morgens mittags nachts nachmittags vormittags
danach dann später anschliessend schliesslich endlich zuletzt inzwischen mittlerweile derzeit zurzeit momentan aktuell gerade
kurzfristig spontan plötzlich schnell langsam sofort direkt persönlich überraschend kurz gründlich sorgfältig problemlos
erfolgreich gleich bald extra rasch zügig pünktlich unerwartet vorzeitig umgehend telefonisch schriftlich mündlich
freundlicherweise glücklicherweise netterweise dummerweise überraschenderweise gern gerne gut drinnen draussen dort hier da oben
unten einstimmig feierlich offiziell endgültig online ausführlich herzlich nebenan daheim damit davon dafür dazu wieder erneut nochmals nochmal jetzt nun
",
);

/// What says nothing of how it is, and may be left out or put in anywhere but under a denial.
pub(super) static REMARKS: Words = Words::of(
    "
auch ausserdem zudem übrigens leider ja doch mal eben halt also ebenfalls ferner nämlich jedenfalls natürlich
selbstverständlich wirklich tatsächlich sehr zwar bereits schon aber jedoch dagegen hingegen allerdings deshalb daher
darum deswegen
",
);

/// Verbs of saying, thinking and wanting, by their stems: what hangs on them is theirs.
pub(super) static SAYING: Words = Words::of(
"
sag mein glaub denk behaupt schreib meld bericht erzähl hoff fürcht befürcht vermut find wiss versprech wünsch erwart annehm
träum heiss erklär versicher plan beabsicht versuch vorhab vorschlag überleg bezweifl zweifl bestreit vergess weiger drohe droh
fordere forder verlang bitt frag empfehl rat befehl erlaub verbiet ahn ausgeh schein schätz rechn hör les kündig ankündig steh
",
);

/// Words that are adverbs or little words though they are spelled like a verb or an adjective.
pub(super) static NO_VERBS: Words = Words::of(
"
seit heute weit nicht jetzt zuletzt zuerst oft erst fast selbst sonst meist sogar immer wieder später früher unten oben draussen
drinnen gestern morgen gern gerne lange schon eben neben zwischen wegen während gegen hinter unter über ausser ohne aber oder
sondern denn dann daran darin darauf danach dabei daher darum deshalb trotzdem deswegen hier dort noch nur auch ganz sehr
zusammen allein einander abends morgens mittags nachts mehr weniger viele alle einige beide mehrere wenige keine manche
vielleicht insgesamt übermorgen vorgestern mindestens höchstens wenigstens meistens selten niemand nichts etwas bereits
montags dienstags mittwochs donnerstags freitags samstags sonntags werktags täglich wöchentlich monatlich jährlich stündlich
vorher nachher hinterher drüben hinten vorne innen aussen selber seither eher lieber
rechts links damit soweit sowie bisher zwar sofort bald zunächst derzeit momentan kaum ausserdem zudem nie niemals
",
);

/// Forms of *sein*, *haben* and *werden* with how they tell of it.
pub(super) fn auxiliary(word: &str) -> Option<(&'static str, super::verbs::Tense)> {
    use super::verbs::Tense::{Infinitive, Past, Present, Subjunctive};
    Some(match word {
        "ist" | "sind" | "bin" | "bist" | "seid" => ("sein", Present),
        "war" | "waren" | "warst" | "wart" => ("sein", Past),
        "sei" | "seien" | "wäre" | "wären" | "wärst" => ("sein", Subjunctive),
        "gewesen" => ("sein", super::verbs::Tense::Participle),
        "hat" | "haben" | "hast" | "habt" | "habe" => ("haben", Present),
        "hatte" | "hatten" | "hattest" | "hattet" => ("haben", Past),
        "hätte" | "hätten" | "hättest" => ("haben", Subjunctive),
        "gehabt" => ("haben", super::verbs::Tense::Participle),
        "wird" | "werden" | "wirst" | "werdet" | "werde" => ("werden", Present),
        "wurde" | "wurden" | "wurdest" | "ward" => ("werden", Past),
        "würde" | "würden" | "würdest" => ("werden", Subjunctive),
        "worden" => ("worden", super::verbs::Tense::Participle),
        "geworden" => ("werden", super::verbs::Tense::Participle),
        "sein" => ("sein", Infinitive),
        _ => return None,
    })
}

/// Forms of verbs that say what may, must or should be: with an infinitive.
pub(super) static MODALS: Words = Words::of(
"
kann kannst können könnt konnte konnten konntest könnte könnten muss musst müssen müsst musste mussten müsste müssten soll sollst
sollen sollt sollte sollten will willst wollen wollt wollte wollten darf darfst dürfen dürft durfte durften dürfte dürften mag
magst mögen möchte möchten möchtest
",
);
