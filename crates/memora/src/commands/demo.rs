//! `demo`: four demonstrations on the bundled example vault.
//!
//! Invariant: **every printed result was computed.** Each step calls the engine as its command would, in a copy of the
//! vault with its own state and configuration, and checks the result.

use memora_engine::report::{
    AnswerStatus, AskReport, Band, BreakReason, DemoCommand, DemoReport, DemoStep, EvidenceStrength, Freshness,
    ReasonCode, SentenceVerdict, WireClaim,
};
use memora_engine::{Config, Door, LocalDoor, Memora, SearchOptions, SyncBound, VerifyInput};

use include_dir::{Dir, include_dir};

use super::vault::{resolve_today, sync_index};
use crate::args::GlobalArgs;
use crate::command_error::{CommandError, CommandErrorKind, CommandOutcome};
use crate::screen;
use crate::ui::Ui;

/// The example vault, as in the repository.
static EXAMPLE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/vault-example");

const QUESTION: &str = "Why did drift switch serialization?";
const NUMBER_QUESTION: &str = "How many messages per second did MessagePack reach?";
const SECRET: &str = "What does Anna earn a month?";

const UP_TO_DATE: Freshness = Freshness { fresh: true, pending: 0 };

pub(super) fn run(global: &GlobalArgs, ui: &Ui) -> Result<CommandOutcome, CommandError> {
    let folder = tempfile::Builder::new().prefix("memora-demo-").tempdir().map_err(|error| {
        CommandError::from_error(
            CommandErrorKind::Failed,
            anyhow::Error::from(error).context("cannot make a temporary folder"),
        )
        .with_hint("set TMPDIR to a folder that can be written")
    })?;
    let vault = folder.path().join("vault-example");
    let unpacked = |error: std::io::Error| {
        CommandError::from_error(
            CommandErrorKind::Failed,
            anyhow::Error::from(error).context("cannot unpack the example vault"),
        )
        .with_hint("set TMPDIR to a folder with room for some megabytes")
    };
    std::fs::create_dir(&vault).and_then(|()| EXAMPLE.extract(&vault)).map_err(unpacked)?;
    let config = folder.path().join("config");
    // A fixed, public key: handles of the example are the same in every run, and protect nothing.
    std::fs::create_dir(&config).and_then(|()| std::fs::write(config.join("handle.key"), [0; 32])).map_err(unpacked)?;
    let config = Config::load(Some(folder.path().join("state")), Some(config), resolve_today(global)?)?;
    let mut memora = Memora::open(Some(&vault), config)?;
    sync_index(&mut memora, SyncBound::All, ui)?;
    let report = if ui.is_local() { run_steps(&memora, LocalDoor)? } else { run_steps(&memora, memora.cloud_door())? };
    ui.print_report(&report, screen::format_demo)?;
    for step in report.steps.iter().filter(|step| !step.passed) {
        ui.status_line(&format!("note: this did not come out as it should: {}", step.name));
    }
    if !report.passed {
        ui.hint("that is a mistake in Memora; please report it");
    }
    if !ui.is_local() {
        ui.status_line("note: this output may be read by others, so what the example keeps secret is withheld");
    }
    Ok(if report.passed { CommandOutcome::Good } else { CommandOutcome::Doubtful })
}

fn run_steps<D: Door>(memora: &Memora, door: D) -> Result<DemoReport, CommandError> {
    let demo = DemoRun { memora, door };
    let steps = vec![demo.answer_step()?, demo.swapped_number_step()?, demo.secret_step()?, demo.stale_step()?];
    Ok(DemoReport { passed: steps.iter().all(|step| step.passed), steps })
}

/// The indexed example vault, and the door of the output.
struct DemoRun<'m, D: Door> {
    memora: &'m Memora,
    door: D,
}

impl<D: Door> DemoRun<'_, D> {
    fn ask<E: Door>(&self, door: E, question: &str) -> Result<AskReport<E>, CommandError> {
        Ok(self.memora.session(door)?.answerer().answer_question(question, &search_options(), UP_TO_DATE)?)
    }

    fn answer_step(&self) -> Result<DemoStep, CommandError> {
        let answer = self.ask(self.door.clone(), QUESTION)?;
        let cited = answer.claims.iter().all(|claim| claim.place().is_some()) && !answer.claims.is_empty();
        Ok(DemoStep {
            name: "answer",
            shows: "An answer in the notes' own words. Each citation was read again in its note before it was shown.",
            passed: is_strong_answer(&answer) && cited,
            commands: vec![ask_command(QUESTION, &answer)],
        })
    }

    fn swapped_number_step(&self) -> Result<DemoStep, CommandError> {
        let answer = self.ask(self.door.clone(), NUMBER_QUESTION)?;
        let mut texts = answer.sentences.iter().filter_map(|sentence| {
            let marker = &sentence.citations.first()?.marker;
            let words = sentence.text.trim().trim_end_matches('.');
            Some((format!("{words} {marker}."), format!("{} {marker}.", swap_numbers(words)?)))
        });
        let Some((said, changed)) = texts.next() else { return Ok(failed_step("swapped_number", NUMBER_QUESTION)) };
        let text = format!("{said} {changed}");
        let report = self
            .memora
            .session(self.door.clone())?
            .verifier()
            .verify_text(&VerifyInput::from_text(text.clone()), UP_TO_DATE)?;
        let caught = match report.sentences.as_slice() {
            [true_one, wrong] => {
                true_one.verdict.is_proven()
                    && matches!(wrong.verdict, SentenceVerdict::Contradicted | SentenceVerdict::Unsupported)
                    && wrong.reasons.iter().any(|reason| reason.kind == ReasonCode::Number)
            }
            _ => false,
        };
        Ok(DemoStep {
            name: "swapped_number",
            shows: "A true sentence, then the same with two numbers swapped: the second cites a real claim and still fails.",
            passed: caught,
            commands: vec![DemoCommand {
                command: format!("echo '{text}' | memora verify"),
                said: screen::format_verdicts(&report),
            }],
        })
    }

    fn secret_step(&self) -> Result<DemoStep, CommandError> {
        let cloud = self.memora.cloud_door();
        let (own, others) = (self.ask(LocalDoor, SECRET)?, self.ask(cloud, SECRET)?);
        let secret: Vec<String> =
            own.claims.iter().filter(|claim| claim.band() == Band::Secret).flat_map(guarded_texts).collect();
        let prompt = self.memora.first_prompt(SECRET, &search_options(), &cloud)?;
        let sent = prompt.as_ref().map_or(String::new(), |prompt| format!("{}{}", prompt.system(), prompt.user()));
        let told = serde_json::to_string(&others)
            .map_err(|error| CommandError::from_error(CommandErrorKind::Failed, error))?;
        let kept = |text: &str| secret.iter().all(|word| !text.contains(word));
        let at_home = if self.door.is_local() {
            screen::format_answer(&own)
        } else {
            "(withheld here: others may read this)".to_owned()
        };
        let offered = prompt.as_ref().map_or(0, |prompt| prompt.offered().len());
        let said = |kept: bool| if kept { "nothing secret is in it" } else { "THE SECRET IS IN IT" };
        let command = |door: &str| format!("memora --door {door} ask \"{SECRET}\"");
        Ok(DemoStep {
            name: "secret",
            shows: "Salaries are marked secret. Only your terminal sees them: no pipe, no program, and no model elsewhere.",
            passed: is_strong_answer(&own) && !secret.is_empty() && kept(&told) && kept(&sent) && !sent.is_empty(),
            commands: vec![
                DemoCommand { command: command("local"), said: at_home },
                DemoCommand { command: command("cloud"), said: screen::format_answer(&others) },
                DemoCommand {
                    command: format!("memora --door cloud ask \"{SECRET}\" --show-prompt"),
                    said: format!("a prompt of {} bytes, with {offered} claims: {}", sent.len(), said(kept(&sent))),
                },
            ],
        })
    }

    fn stale_step(&self) -> Result<DemoStep, CommandError> {
        let report = self.memora.session(self.door.clone())?.lifecycle_reports().list_stale(1, UP_TO_DATE)?;
        Ok(DemoStep {
            name: "stale",
            shows: "A sentence that cites a fact which a newer note has replaced.",
            passed: report
                .stale
                .iter()
                .any(|one| one.because.iter().any(|ground| ground.how == BreakReason::Superseded)),
            commands: vec![DemoCommand { command: "memora stale".to_owned(), said: screen::format_stale(&report) }],
        })
    }
}

fn search_options() -> SearchOptions {
    SearchOptions { limit: 5, without_likeness: true, ..SearchOptions::default() }
}

fn is_strong_answer<D>(answer: &AskReport<D>) -> bool {
    answer.status == AnswerStatus::Verified && answer.relevance == Some(EvidenceStrength::Likely)
}

fn ask_command<D: Door>(question: &str, answer: &AskReport<D>) -> DemoCommand {
    DemoCommand { command: format!("memora ask \"{question}\""), said: screen::format_answer(answer) }
}

fn failed_step(name: &'static str, question: &str) -> DemoStep {
    let command = DemoCommand { command: format!("memora ask \"{question}\""), said: "nothing was found".to_owned() };
    DemoStep { name, shows: "Nothing: the example vault did not answer.", passed: false, commands: vec![command] }
}

/// Swaps the first two numbers of a sentence; `None` if there are not two different ones.
fn swap_numbers(sentence: &str) -> Option<String> {
    let words: Vec<&str> = sentence.split(' ').collect();
    let digits = |word: &&str| word.trim_end_matches([',', '.', ';']).to_owned();
    let mut numbers = words.iter().filter(|word| word.starts_with(|c: char| c.is_ascii_digit())).map(digits);
    let (first, second) = (numbers.next()?, numbers.next()?);
    if first == second {
        return None;
    }
    let exchanged = words.iter().map(|word| match digits(word) {
        number if number == first => word.replacen(&first, &second, 1),
        number if number == second => word.replacen(&second, &first, 1),
        _ => (*word).to_owned(),
    });
    Some(exchanged.collect::<Vec<_>>().join(" "))
}

/// Returns the texts of a guarded claim that must not leak: its full text, and each number in it.
fn guarded_texts<D>(claim: &WireClaim<D>) -> Vec<String> {
    let (_, _, object) = claim.triple();
    let quote = claim.place().map(|place| place.quote.as_str()).unwrap_or_default();
    let numbers = quote.split_whitespace().filter(|word| word.contains(|c: char| c.is_ascii_digit()));
    [object, quote].into_iter().filter(|words| !words.is_empty()).chain(numbers).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::Path;

    use super::*;

    fn carried(folder: &Dir<'_>, found: &mut BTreeMap<String, Vec<u8>>) {
        for file in folder.files() {
            found.insert(file.path().to_string_lossy().replace('\\', "/"), file.contents().to_vec());
        }
        folder.dirs().for_each(|folder| carried(folder, found));
    }

    fn on_disk(root: &Path, folder: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
        for entry in std::fs::read_dir(folder).expect("a folder can be listed") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                on_disk(root, &path, found);
            } else {
                let name = path.strip_prefix(root).expect("below the root").to_string_lossy().replace('\\', "/");
                found.insert(name, std::fs::read(&path).expect("a file can be read"));
            }
        }
    }

    #[test]
    fn the_vault_that_the_program_carries_is_the_one_of_the_repository() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("vault-example");
        let (mut here, mut there) = (BTreeMap::new(), BTreeMap::new());
        carried(&EXAMPLE, &mut here);
        on_disk(&root, &root, &mut there);
        assert!(there.len() > 40 && there.contains_key(".memora/config.toml"));
        assert_eq!(here.keys().collect::<Vec<_>>(), there.keys().collect::<Vec<_>>());
        assert!(here == there, "a file of the example vault is another one in the program");
    }

    #[test]
    fn two_numbers_are_exchanged() {
        let check =
            |sentence: &str, expect: Option<&str>| assert_eq!(swap_numbers(sentence).as_deref(), expect, "{sentence}");
        check("A reached 412,000 a second, B 158,000", Some("A reached 158,000 a second, B 412,000"));
        check("from 7, to 14 days", Some("from 14, to 7 days"));
        check("one 7 and 7", None);
        check("only 7", None);
    }
}
