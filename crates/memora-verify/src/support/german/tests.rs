//! What German words of a note support and what they don't.

use memora_vault::TaskState;

use crate::support::{Ground, Support, judge};

fn verdict(passage: &str, sentence: &str) -> String {
    let (words, context) = passage.split_once(" << ").unwrap_or((passage, ""));
    let context: Vec<String> = context.split(" / ").filter(|part| !part.is_empty()).map(str::to_owned).collect();
    let judged = judge(sentence, &[&Ground::read(words, &context, &[])]);
    match judged.support {
        Support::Quoted => "quoted".to_owned(),
        Support::Supported => "supported".to_owned(),
        Support::Unsupported => {
            let reasons = judged.reasons.iter().map(|r| format!("{} ({})", r.kind.as_str(), r.words));
            reasons.collect::<Vec<_>>().join(", ")
        }
    }
}

/// Pairs of what a note says and what a sentence says, an empty line between two groups.
const TRUE: &[(&str, &str)] = &[
    // Another tense that tells the same, and verbs that are split.
    ("Anna hat das Team drei Jahre lang geleitet.", "Anna leitete das Team drei Jahre lang."),
    ("Anna leitete das Team.", "Anna hat das Team geleitet."),
    ("Bruno holte das Paket am Montag ab.", "Bruno hat das Paket am Montag abgeholt."),
    ("Bruno hat das Paket am Montag abgeholt.", "Am Montag holte Bruno das Paket ab."),
    ("Das Treffen wurde auf Mai verschoben.", "Das Treffen ist auf Mai verschoben worden."),
    ("Jana fuhr nach Kiel.", "Jana ist nach Kiel gefahren."),
    ("Der Chor war im Mai in Rom.", "Im Mai ist der Chor in Rom gewesen."),
    ("Wir haben gestern die Heizung repariert.", "Die Heizung reparierten wir gestern."),
    ("Der Kurs fängt um 18 Uhr an.", "Der Kurs fängt um 18:00 an."),
    // Another order.
    ("Am 3. Mai 2024 zog Lena nach Bonn.", "Lena zog am 3.5.2024 nach Bonn."),
    ("Den Vertrag hat Anna unterschrieben.", "Anna hat den Vertrag unterschrieben."),
    ("Ich habe das Buch gelesen.", "Das Buch habe ich gelesen."),
    ("In der Küche steht ein neuer Tisch.", "Ein neuer Tisch steht in der Küche."),
    ("Das Treffen fiel aus, weil Bruno krank war.", "Weil Bruno krank war, fiel das Treffen aus."),
    // Parts of longer sentences.
    ("Das Treffen wurde auf März verschoben, weil Mia ging.", "Das Treffen wurde auf März verschoben."),
    ("Anna leitet Drift und Tom leitet die Suche.", "Tom leitet die Suche."),
    ("Anna kaufte Milch und backte ein Brot.", "Anna backte ein Brot."),
    ("Anna hat Äpfel gekauft und Birnen gegessen.", "Anna hat Birnen gegessen."),
    ("Jana wohnt in Kiel, aber ihr Bruder wohnt in Bonn.", "Jana wohnt in Kiel."),
    ("Lena rief am Montag beim Arzt an und bekam einen Termin am 12. Juni.", "Lena bekam einen Termin am 12. Juni."),
    ("Drift, das Anna leitet, nutzt Rust.", "Drift nutzt Rust."),
    ("Anna kam nicht, aber Bruno kam.", "Bruno kam."),
    ("Seit Mai 2025 arbeitet Anna bei Tidewell.", "Anna arbeitet bei Tidewell."),
    ("Das Treffen wurde gestern kurzfristig auf Montag verschoben.", "Das Treffen wurde auf Montag verschoben."),
    ("Wir kauften Milch, Brot und Eier.", "Wir kauften Milch und Eier."),
    ("Jana Vogt, die Leiterin, kündigte im Mai.", "Jana Vogt kündigte im Mai."),
    ("Obwohl es regnete, fand das Fest im Garten statt.", "Das Fest fand im Garten statt."),
    // Numbers and dates.
    ("Die Miete beträgt 1.250 Euro.", "Die Miete beträgt 1250 €."),
    ("Der Lauf dauert zwei Stunden.", "Der Lauf dauert 120 Minuten."),
    ("Der Verein hat 21 Mitglieder.", "Der Verein hat einundzwanzig Mitglieder."),
    ("Das Paket wiegt 3,5 kg.", "Das Paket wiegt 3,5 Kilogramm."),
    ("Das Haus kostete 2,5 Millionen Euro.", "Das Haus hat 2.500.000 Euro gekostet."),
    ("Die Frist endet am 12.4.2024.", "Die Frist endet am 12. April 2024."),
    ("Die Frist endet am 12. April 2024.", "Die Frist endet im April 2024."),
    ("Am Mo, 3.6. kommt der Klempner.", "Der Klempner kommt am Montag, den 3. Juni."),
    ("Das Konzert beginnt um 19.30 Uhr.", "Das Konzert beginnt um 19:30 Uhr."),
    ("Die Rate steigt um 5 %.", "Die Rate steigt um fünf Prozent."),
    ("Im Jahr 2019 zog Otto nach Ulm.", "Otto zog 2019 nach Ulm."),
    // What the title says.
    ("leitete das Suchteam << Jana Vogt", "Jana Vogt hat das Suchteam geleitet."),
    ("Miete: 720 Euro << Wohnung Kiel", "Die Miete beträgt 720 Euro."),
    ("Miete: 720 Euro << Wohnung Kiel", "Die Miete der Wohnung Kiel beträgt 720 Euro."),
    ("Termin: 3. Mai 2024", "Der Termin ist am 3. Mai 2024."),
    // Denials, hedges and conditions that are kept.
    ("Das Projekt wurde nicht verschoben.", "Das Projekt ist nicht verschoben worden."),
    ("Wenn es regnet, fällt das Training aus.", "Das Training fällt aus, wenn es regnet."),
    ("Anna soll das Team ab Mai leiten.", "Ab Mai soll Anna das Team leiten."),
    ("Vielleicht kommt Bruno am Freitag.", "Bruno kommt vielleicht am Freitag."),
    ("Alle Mitglieder zahlen 20 Euro im Jahr.", "Alle Mitglieder zahlen im Jahr 20 Euro."),
    ("Anna glaubt, dass Bruno kommt.", "Dass Bruno kommt, glaubt Anna."),
    // Little words, synonyms, and who speaks.
    ("Der neue Drucker steht im Flur.", "Im Flur steht der neue Drucker."),
    ("Ich habe ein Regal gekauft.", "Du hast ein Regal gekauft."),
    ("Mein Rad ist kaputt.", "Dein Fahrrad ist kaputt."),
    ("Am Samstag erhielt Otto den Schlüssel.", "Otto bekam am Sonnabend den Schlüssel."),
    ("Anna hat übrigens auch ein Auto.", "Anna hat ein Auto."),
    ("Die Sitzung war sehr lang.", "Die Sitzung war lang."),
    ("Die Pumpe läuft wieder.", "Laut deinen Notizen läuft die Pumpe wieder."),
    ("Anna leitet Drift. Bruno leitet die Suche.", "Anna leitet Drift und Bruno leitet die Suche."),
];

const FALSE: &[(&str, &str)] = &[
    // Numbers, units, dates, names.
    ("Die Miete beträgt 720 Euro.", "Die Miete beträgt 750 Euro."),
    ("Der Lauf dauert 2 Stunden.", "Der Lauf dauert 2 Minuten."),
    ("Die Frist endet am 12. April 2024.", "Die Frist endet am 12. Mai 2024."),
    ("Die Frist endet im April 2024.", "Die Frist endet am 12. April 2024."),
    ("Die Frist endet am 12.4.2024.", "Die Frist endet am 4. Dezember 2024."),
    ("Der Kurs ist am Montag.", "Der Kurs ist am Dienstag."),
    ("Jana leitet das Team.", "Lena leitet das Team."),
    ("Das Paket wiegt 3,5 kg.", "Das Paket wiegt 35 kg."),
    ("Der Verein hat 1.000 Mitglieder.", "Der Verein hat 1 Mitglied."),
    ("Zwei Kisten und drei Säcke stehen im Hof.", "Drei Kisten und zwei Säcke stehen im Hof."),
    ("Der Laden öffnet um 8 Uhr und schließt um 18 Uhr.", "Der Laden öffnet um 18 Uhr."),
    ("Der Zug fährt um halb drei.", "Der Zug fährt um drei."),
    ("Die Frist endet vor dem 3. Mai.", "Die Frist endet nach dem 3. Mai."),
    ("Die Ausstellung läuft bis Mai.", "Die Ausstellung läuft ab Mai."),
    ("Die Ausstellung läuft bis Mai.", "Die Ausstellung läuft im Mai."),
    // Who does what to whom.
    ("Anna hat Bruno eingeladen.", "Bruno hat Anna eingeladen."),
    ("Der Hund beißt den Mann.", "Den Hund beißt der Mann."),
    ("Der Hund beißt den Mann.", "Der Mann beißt den Hund."),
    ("Anna schuldet Bruno 20 Euro.", "Bruno schuldet Anna 20 Euro."),
    ("Die Katze jagt die Maus.", "Die Maus jagt die Katze."),
    ("Ihm half Anna.", "Er half Anna."),
    ("Anna wurde von Bruno gewählt.", "Bruno wurde von Anna gewählt."),
    ("Anna wurde von Bruno gewählt.", "Anna wählte Bruno."),
    ("Annas Bruder leitet das Team.", "Anna leitet das Team."),
    ("Der Bruder von Anna leitet das Team.", "Der Bruder leitet das Team."),
    ("Die Schwester des Bürgermeisters kaufte das Haus.", "Der Bürgermeister kaufte das Haus."),
    ("Anna ist größer als Bruno.", "Bruno ist größer als Anna."),
    ("Wir wechselten von Postgres zu SQLite.", "Wir wechselten von SQLite zu Postgres."),
    ("Der Mann mit dem Hund sah die Frau.", "Der Mann sah die Frau mit dem Hund."),
    ("Anna gibt dem Kind den Ball.", "Anna gibt den Ball."),
    ("Ich habe Anna angerufen.", "Anna hat mich angerufen."),
    // Denials.
    ("Das Projekt wurde nicht verschoben.", "Das Projekt wurde verschoben."),
    ("Das Projekt wurde verschoben.", "Das Projekt wurde nicht verschoben."),
    ("Drift hat keine App.", "Drift hat eine App."),
    ("Drift hat eine App.", "Drift hat keine App."),
    ("Anna kommt nie am Montag.", "Anna kommt am Montag."),
    ("Niemand im Team mag Rust.", "Jemand im Team mag Rust."),
    ("Anna kam ohne Bruno.", "Anna kam mit Bruno."),
    ("Weder Anna noch Bruno kam.", "Anna kam."),
    ("Bruno ist kaum zu Hause.", "Bruno ist zu Hause."),
    ("Anna kommt nicht am Montag.", "Anna kommt nicht."),
    ("Der Termin ist nicht am Montag, sondern am Dienstag.", "Der Termin ist am Montag."),
    ("Anna hat nicht gekocht und geputzt.", "Anna hat geputzt."),
    ("Es stimmt nicht, dass Anna gekündigt hat.", "Anna hat gekündigt."),
    ("Nicht umgesetzt << Fahrplan", "Der Fahrplan ist umgesetzt."),
    ("Anna hat noch nicht bezahlt.", "Anna hat bezahlt."),
    ("Anna hat das Rad nicht verkauft, weil es alt ist.", "Anna hat das Rad verkauft."),
    // Plans, hedges, reports, conditions.
    ("Anna soll das Team leiten.", "Anna leitet das Team."),
    ("Der Bus könnte ausfallen.", "Der Bus fällt aus."),
    ("Vielleicht kommt Bruno.", "Bruno kommt."),
    ("Bruno hat angeblich gekündigt.", "Bruno hat gekündigt."),
    ("Bruno habe das Geld gestohlen, sagt Anna.", "Bruno hat das Geld gestohlen."),
    ("Anna sagt, Bruno hat das Geld gestohlen.", "Bruno hat das Geld gestohlen."),
    ("Anna glaubt, dass Bruno kommt.", "Bruno kommt."),
    ("Wenn es regnet, fällt das Training aus.", "Das Training fällt aus."),
    ("Das Training fällt aus, falls es regnet.", "Das Training fällt aus."),
    ("Es ist offen, ob Jana bleibt.", "Jana bleibt."),
    ("Wir planen, das Büro nach Kiel zu verlegen.", "Wir verlegen das Büro nach Kiel."),
    ("Anna will das Auto verkaufen.", "Anna verkauft das Auto."),
    ("Anna wird das Auto verkaufen.", "Anna hat das Auto verkauft."),
    ("Anna würde das Auto verkaufen.", "Anna verkauft das Auto."),
    ("Hat Anna das Auto verkauft?", "Anna hat das Auto verkauft."),
    ("Anna leitete das Team.", "Anna leitet das Team."),
    ("Anna leitet das Team.", "Anna leitete das Team."),
    ("Anna hat versucht, das Tor zu öffnen.", "Anna hat das Tor geöffnet."),
    ("Anna vergaß, das Tor zu schließen.", "Anna schloss das Tor."),
    ("Das Rad muss repariert werden.", "Das Rad wurde repariert."),
    ("Idee: Wir streichen das Büro.", "Wir streichen das Büro."),
    ("Fahrrad zur Werkstatt bringen", "Ich habe das Fahrrad zur Werkstatt gebracht."),
    // All, some, only, more, most; opposites.
    ("Einige Mitglieder zahlen 20 Euro.", "Alle Mitglieder zahlen 20 Euro."),
    ("Einige Mitglieder zahlen 20 Euro.", "Die Mitglieder zahlen 20 Euro."),
    ("Nur Anna hat einen Schlüssel.", "Anna hat einen Schlüssel und Bruno auch."),
    ("Nur am Montag ist das Büro offen.", "Am Montag ist nur das Büro offen."),
    ("Der Eintritt ist nur für Kinder frei.", "Der Eintritt ist frei."),
    ("Der Eintritt ist für Kinder frei.", "Der Eintritt ist frei."),
    ("Die Pumpe ist schnell.", "Die Pumpe ist schneller."),
    ("Die schnelle Pumpe läuft.", "Die schnellere Pumpe läuft."),
    ("Die Preise sind gestiegen.", "Die Preise sind gesunken."),
    ("Die Fahrt dauert mindestens 40 Minuten.", "Die Fahrt dauert 40 Minuten."),
    ("Die Fahrt dauert 40 Minuten.", "Die Fahrt dauert höchstens 40 Minuten."),
    ("Das Fass ist fast leer.", "Das Fass ist leer."),
    ("Anna hat das Auto verkauft.", "Anna hat das Auto gekauft."),
    ("Die rote Jacke kostet 40 Euro.", "Die Jacke kostet 40 Euro."),
    ("Anna kauft die Jacke am Bahnhof.", "Anna kauft eine Jacke für Bruno."),
    // What is left out.
    ("In Berlin gilt ein Tempolimit.", "Ein Tempolimit gilt."),
    ("Im Winter schließt das Bad um 18 Uhr.", "Das Bad schließt um 18 Uhr."),
    ("Das Bad ist am Montag geschlossen.", "Das Bad ist geschlossen."),
    ("Das Bad ist bis Mai geschlossen.", "Das Bad ist geschlossen."),
    ("Die Kunden, die gekündigt haben, bekommen Geld.", "Die Kunden bekommen Geld."),
    ("Der Kuchen ist ohne Nüsse.", "Der Kuchen ist mit Nüssen."),
    ("Anna oder Bruno leitet das Team.", "Anna leitet das Team."),
    // Clauses that are mixed.
    ("Anna leitet Drift und Tom leitet die Suche.", "Tom leitet Drift."),
    ("Anna leitet Drift und Tom leitet die Suche.", "Anna leitet die Suche."),
    ("Anna leitet Drift. Bruno leitet die Suche.", "Anna leitet die Suche und Bruno leitet Drift."),
    ("Anna zog nach Kiel, weil Bruno ging.", "Bruno ging, weil Anna nach Kiel zog."),
    ("Anna ging, weil Bruno krank war, und Carla kam.", "Carla kam, weil Bruno krank war."),
    ("Bruno war krank. Das Treffen fiel aus.", "Das Treffen fiel aus, weil Bruno krank war."),
    ("Bruno war krank und das Treffen fiel aus.", "Das Treffen fiel aus, weil Bruno krank war."),
    ("Anna arbeitet in Kiel und wohnt in Bonn.", "Anna wohnt in Kiel."),
    ("Drift nutzt Rust. << Apollo", "Apollo nutzt Rust."),
    ("Anna arbeitet in Kiel.", "Sie arbeitet in Kiel."),
    ("Miete: 720 Euro << Wohnung Kiel", "Die Kaution beträgt 720 Euro."),
    ("Miete: 720 Euro << Wohnung Kiel", "Die Miete der Wohnung Bonn beträgt 720 Euro."),
    ("Anna sagte „bis Montag“.", "Anna sagte „bis Freitag“."),
];

#[test]
fn what_is_said_is_supported() {
    let refused = TRUE.iter().map(|(passage, sentence)| (passage, sentence, verdict(passage, sentence)));
    let wrong: Vec<String> = refused
        .filter(|(.., found)| found != "supported")
        .map(|(passage, sentence, found)| format!("{passage} -> {sentence}: {found}"))
        .collect();
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn what_is_not_said_is_unsupported() {
    let accepted = FALSE.iter().filter(|(passage, sentence)| {
        let found = verdict(passage, sentence);
        found == "supported" || found == "quoted"
    });
    assert_eq!(accepted.collect::<Vec<_>>(), Vec::<&(&str, &str)>::new());
}

#[test]
fn a_reason_names_the_words_in_question() {
    for (passage, sentence, expected) in [
        ("Die Miete beträgt 720 Euro.", "Die Miete beträgt 750 Euro.", "number (750 Euro)"),
        ("Die Frist endet im April.", "Die Frist endet im Mai.", "date (Mai)"),
        ("Jana leitet das Team.", "Lena leitet das Team.", "content (Lena)"),
        ("Das Projekt wurde verschoben.", "Das Projekt wurde nicht verschoben.", "negation (nicht)"),
        ("Das Projekt wurde nicht verschoben.", "Das Projekt wurde verschoben.", "negation ()"),
        ("Die Preise sind gestiegen.", "Die Preise sind gesunken.", "opposite (gesunken)"),
        ("Anna soll das Team leiten.", "Anna leitet das Team.", "modality ()"),
        ("Anna hat Bruno eingeladen.", "Bruno hat Anna eingeladen.", "roles (Bruno)"),
        ("Anna arbeitet in Kiel.", "Sie arbeitet in Kiel.", "reference (Sie)"),
    ] {
        let found = verdict(passage, sentence);
        assert!(found.contains(expected), "{passage} -> {sentence}: {found}");
    }
}

#[test]
fn an_open_task_was_not_done() {
    let judged = |state, sentence: &str| {
        let ground = Ground::read("Die Heizung wurde repariert.", &[], &[]).as_task(state);
        judge(sentence, &[&ground]).support
    };
    assert_eq!(judged(TaskState::Open, "Die Heizung ist repariert worden."), Support::Unsupported);
    assert_eq!(judged(TaskState::Done, "Die Heizung ist repariert worden."), Support::Supported);
}

#[test]
fn nothing_is_judged_across_languages() {
    for (passage, sentence) in [
        ("Anna leads the team in Kiel.", "Anna leitet das Team in Kiel."),
        ("Anna leitet das Team in Kiel.", "Anna leads the team in Kiel."),
        ("Anna dirige el equipo de Kiel.", "Anna leitet das Team in Kiel."),
    ] {
        assert_eq!(verdict(passage, sentence), "language ()", "{passage}");
    }
}

proptest::proptest! {
    #[test]
    fn any_texts_can_be_judged(
        a in r"(\PC|[0-9]{1,4}[.,:]?|nicht |Der |die |zwölf |, |und |am |3\. Mai |kaufte |abgeholt |ab |: |dass |é|日){0,20}",
        b in r"(\PC|[0-9]{1,4}[.,:]?|nicht |Das |den |wurde |, |oder |im |Mai |gekauft |holte |zu |; |weil |ß){1,20}",
    ) {
        let (read, other) = (Ground::read(&format!("Der {b}"), &[a.clone()], &[]), Ground::read(&a, &[], &[]));
        let _ = judge(&format!("Das {a}"), &[&read, &other]);
        let _ = judge(&b, &[&read]);
    }
}
