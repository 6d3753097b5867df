//! Each tool: arguments in, calls to the engine, a result within its budget.

use std::sync::atomic::AtomicBool;

use memora_engine::wire::{AskReport, Freshness, WireClaim};
use memora_engine::{
    Asking, Band, ClaimId, CloudDoor, Door, LanguageModel, Memora, Model, ModelLimits, ModelsAllowed, SearchOptions,
    Submitted,
};
use rmcp::model::JsonObject;
use serde::de::DeserializeOwned;

use crate::args::{self, ClaimArgs, EntityArgs, Mode, QueryArgs, SearchArgs, VerifyArgs};
use crate::budget::{Budget, cursor, cut, offset};
use crate::reader::Told;
use crate::trouble::Trouble;
use crate::wire::{
    AgentClaim, ClaimEdge, ClaimResult, Decided, Detail, EntityClaim, EntityResult, Hit, Named, Neighbour, ProblemSentence, QueryResult,
    SearchResult, Verdicts, VerifyResult, Withheld,
};

/// How to cite, for every client.
const HOW_TO_CITE: &str = "Put [claim:ID] behind each sentence, with the id of a claim above that says \
    so. Say nothing about the user's notes that no claim says. Then pass the whole draft to memora_verify.";

/// How many decisions about a claim are told.
const DECISIONS_MAX: usize = 10;

/// A tool that is called, with its arguments.
#[derive(Clone, Debug)]
pub(crate) enum Call {
    Search(SearchArgs),
    Query(QueryArgs),
    Verify(VerifyArgs),
    Claim(ClaimArgs),
    Entity(EntityArgs),
}

impl Call {
    /// Reads a call; nothing for a tool that there is not.
    pub(crate) fn read(tool: &str, arguments: Option<JsonObject>) -> Option<Result<Self, Trouble>> {
        let arguments = serde_json::Value::Object(arguments.unwrap_or_default());
        Some(match tool {
            "memora_search" => parse(arguments).map(Self::Search),
            "memora_query_cited" => parse(arguments).map(Self::Query),
            "memora_verify" => parse(arguments).map(Self::Verify),
            "memora_claim" => parse(arguments).map(Self::Claim),
            "memora_entity" => parse(arguments).map(Self::Entity),
            _ => return None,
        })
    }

    /// The tool's name.
    pub(crate) fn tool(&self) -> &'static str {
        match self {
            Self::Search(_) => "memora_search",
            Self::Query(_) => "memora_query_cited",
            Self::Verify(_) => "memora_verify",
            Self::Claim(_) => "memora_claim",
            Self::Entity(_) => "memora_entity",
        }
    }
}

fn parse<A: DeserializeOwned>(arguments: serde_json::Value) -> Result<A, Trouble> {
    serde_json::from_value(arguments).map_err(|error| {
        // It may repeat what the client said, and never more than that.
        Trouble::say(cut(&format!("bad arguments: {error}"), 400), "the tool's input schema says what it takes")
    })
}

/// Carries out a call for a door.
pub(crate) fn carry_out<D: Door>(
    memora: &Memora,
    call: &Call,
    door: &D,
    freshness: Freshness,
    stop: &AtomicBool,
) -> Result<Told, Trouble> {
    match call {
        Call::Search(args) => search(memora, args, door, freshness),
        Call::Query(args) => query(memora, args, door, freshness, stop),
        Call::Verify(args) => verify(memora, args, door, freshness),
        Call::Claim(args) => claim(memora, args, door, freshness),
        Call::Entity(args) => entity(memora, args, door, freshness),
    }
}

/// A status of having found nothing, which is another one while notes are due.
fn unless_due(status: &'static str, freshness: Freshness) -> &'static str {
    if freshness.fresh { status } else { "not_indexed_yet" }
}

fn search<D: Door>(memora: &Memora, args: &SearchArgs, door: &D, freshness: Freshness) -> Result<Told, Trouble> {
    let query = args::words(&args.query)?;
    let offset = offset(args.cursor.as_deref())?;
    let limit = args.limit.unwrap_or(10).clamp(1, 50);
    let options = SearchOptions {
        limit: offset + limit + 1,
        filter: args.within.filter()?,
        captured: args.within.captured,
        as_of: args.within.as_of()?,
        lexical_only: false,
    };
    let report = memora.session(door.clone())?.search_report(query, &options, freshness)?;
    let hits =
        report.hits.iter().skip(offset).filter_map(|hit| {
            Some(Hit { claim: AgentClaim::of(&hit.claim, Detail::Brief)?, relevance: hit.relevance })
        });
    let mut claims: Vec<Hit<D>> = hits.collect();
    let mut more = claims.len() > limit;
    claims.truncate(limit);
    let withheld = if offset == 0 { Withheld::of(&report.redacted) } else { Vec::new() };
    let status = if claims.is_empty() { unless_due("nothing_found", freshness) } else { "found" };
    let next = match status {
        "found" => {
            "Answer from these claims alone and cite each by [claim:ID]; memora_claim tells more of one, and cursor \
            leads to more. Pass the draft to memora_verify. A claim of relevance none is most likely about something else."
        }
        "not_indexed_yet" => "Notes are being indexed: say that the index is not ready, and ask again in a moment.",
        _ => {
            "Nothing in the notes that you may see has these words. Ask in words that the note would have, or tell the user \
            that the notes do not say."
        }
    };
    let mut result = SearchResult { status, claims: Vec::new(), withheld, next, cursor: None, freshness };
    more |= Budget::of(args.max_tokens).beside(&result).fit(&mut claims);
    result.cursor = cursor(offset + claims.len(), more && !claims.is_empty());
    result.claims = claims;
    let pieces = result.claims.iter().map(|hit| hit.claim.piece()).chain(result.withheld.iter().map(Withheld::piece));
    let pieces = pieces.collect();
    Told::of(&result, pieces)
}

fn query<D: Door>(
    memora: &Memora,
    args: &QueryArgs,
    door: &D,
    freshness: Freshness,
    stop: &AtomicBool,
) -> Result<Told, Trouble> {
    let question = args::words(&args.question)?;
    let options = SearchOptions {
        limit: args.limit.unwrap_or(5).clamp(1, 20),
        filter: args.within.filter()?,
        captured: args.within.captured,
        as_of: args.within.as_of()?,
        lexical_only: false,
    };
    let budget = Budget::of(args.max_tokens);
    let asked = Question { memora, question, options: &options, mode: args.mode, freshness, stop };
    match asked.model()? {
        // A model on this machine is shown what the client may see, so that what it drafts may be told.
        Some(Model::Near(near)) => told(&asked.drafted(&near, door, false)?, true, budget),
        Some(Model::Far(far)) => told(&asked.drafted::<CloudDoor>(&far, &memora.cloud_door(), true)?, true, budget),
        None => told(&memora.session(door.clone())?.ask(question, &options, freshness)?, false, budget),
    }
}

/// A question that Memora's own language model may be asked.
struct Question<'a> {
    memora: &'a Memora,
    question: &'a str,
    options: &'a SearchOptions,
    mode: Mode,
    freshness: Freshness,
    stop: &'a AtomicBool,
}

impl Question<'_> {
    /// The model that the user configured, where it may be asked about this vault.
    fn model(&self) -> Result<Option<Model>, Trouble> {
        let allowed = self.memora.vault().models();
        let Some(config) = self.memora.config().model.as_ref().filter(|_| allowed != ModelsAllowed::None) else {
            return Ok(None);
        };
        let model = self.memora.connect(config, &ModelLimits::of(config), self.stop)?;
        Ok(Some(model).filter(|model| model.is_near() || allowed != ModelsAllowed::Local))
    }

    fn drafted<D: Door>(&self, model: &dyn LanguageModel<D>, door: &D, leaves: bool) -> Result<AskReport<D>, Trouble> {
        let Self { memora, question, options, mode, freshness, stop } = *self;
        let asking = Asking { model, leaves, stop };
        Ok(match mode {
            Mode::Repair => memora.ask_model(question, options, door, &asking, freshness)?,
            Mode::Strict => memora.ask_model_strictly(question, options, door, &asking, freshness)?,
        })
    }
}

/// An answer, as it is told.
fn told<D: Door>(report: &AskReport<D>, drafted: bool, budget: Budget) -> Result<Told, Trouble> {
    let status = match report.status {
        "no_evidence" => unless_due("no_evidence", report.freshness),
        "verified" | "quoted" if !drafted => "claims",
        status => status,
    };
    let next = match status {
        "claims" => {
            "Draft an answer from these claims alone, cite them, and pass the draft to memora_verify. Weak ones may be \
            about something else: then say so. memora_search looks for more."
        }
        "verified" | "quoted" | "partial" => {
            "This is what the notes bear out, with its citations: give it to the user with \
            them. What you change in it, pass to memora_verify."
        }
        "not_indexed_yet" => "Notes are being indexed: say that the index is not ready, and ask again in a moment.",
        "no_evidence" => {
            "The notes that you may see do not answer this. Tell the user so, or look for other words with \
            memora_search."
        }
        "withheld" => "What this was drafted from has just become guarded. Tell the user that it is withheld.",
        _ => {
            "Nothing that was drafted is borne out by the notes. Look with memora_search, and draft from what it finds."
        }
    };
    let removed = report.drafted.as_ref().map_or(0, |by| {
        let removed = by.removed;
        removed.unsupported + removed.rejected + removed.uncited
    });
    let mut result = QueryResult {
        status,
        relevance: report.relevance,
        answer: None,
        claims: Vec::new(),
        withheld: Withheld::of(&report.redacted),
        drafted_by: report.drafted.as_ref().map(|by| cut(&by.model, 100)),
        removed,
        more: false,
        how_to_cite: HOW_TO_CITE,
        next,
        freshness: report.freshness,
    };
    if drafted && !report.answer.is_empty() {
        let (answer, cut) = budget.beside(&result).fit_lines(&report.answer);
        (result.answer, result.more) = (Some(answer), cut);
    }
    let mut claims: Vec<_> = brief(&report.claims).collect();
    result.more |= budget.beside(&result).fit(&mut claims);
    result.claims = claims;
    // Of an answer all that it was made of is written down, whether or not it is listed.
    let pieces = brief(&report.claims).map(|claim| claim.piece()).chain(result.withheld.iter().map(Withheld::piece));
    let pieces = pieces.collect();
    Told::of(&result, pieces)
}

fn brief<D>(claims: &[WireClaim<D>]) -> impl Iterator<Item = AgentClaim<D>> {
    claims.iter().filter_map(|claim| AgentClaim::of(claim, Detail::Brief))
}

fn verify<D: Door>(memora: &Memora, args: &VerifyArgs, door: &D, freshness: Freshness) -> Result<Told, Trouble> {
    let text = args::text(&args.text)?;
    let offset = offset(args.cursor.as_deref())?;
    let submitted = Submitted::text(text);
    let session = memora.session(door.clone())?;
    let report = session.verify(&submitted, freshness)?;
    let mut problems: Vec<_> = report.sentences.iter().filter_map(ProblemSentence::of).skip(offset).collect();
    let next = match report.status {
        "verified" | "quoted" => "Every sentence holds: give the text to the user, with its citations.",
        "no_evidence" => "The text asserts nothing that could be verified. Put [claim:ID] behind each sentence.",
        _ if !freshness.fresh => "Some of it does not hold, or is not indexed yet: verify it again in a moment.",
        _ => {
            "Give the user clean_text, or mend the sentences under problems from claims that say them and verify again. Do \
            not give the user a sentence that does not hold."
        }
    };
    let mut result = VerifyResult {
        status: report.status,
        clean_text: session.fixed(&submitted)?,
        sentences: Verdicts::of(&report.sentences),
        problems: Vec::new(),
        next,
        cursor: None,
        freshness,
    };
    let rest = VerifyResult { clean_text: String::new(), ..result.clone() };
    let more = Budget::of(args.max_tokens).beside(&rest).fit(&mut problems);
    result.cursor = cursor(offset + problems.len(), more);
    result.problems = problems;
    let pieces = brief(&report.claims).map(|claim| claim.piece()).collect();
    Told::of(&result, pieces)
}

fn claim<D: Door>(memora: &Memora, args: &ClaimArgs, door: &D, freshness: Freshness) -> Result<Told, Trouble> {
    let typed = args.claim.trim().trim_start_matches("[claim:").trim_end_matches(']').trim();
    if typed.starts_with('~') {
        return Err(Trouble::say(
            "this is the handle of a withheld claim",
            "tell the user that it is withheld from you",
        ));
    }
    let id = ClaimId::parse(typed).map_err(|_| {
        Trouble::say("this is no claim's id", "an id has twelve letters and digits, as in the results of memora_search")
    })?;
    let offset = offset(args.cursor.as_deref())?;
    let report = memora.session(door.clone())?.why(&id)?;
    let told = report.claims.iter().filter_map(|claim| AgentClaim::of(claim, Detail::Full));
    let (all, budget) = (told.clone().count(), Budget::of(args.max_tokens));
    // One list for the cursor: the words that were asked for, then what they are to others.
    let mut claims: Vec<_> = told.skip(offset).collect();
    let mut edges: Vec<_> = report.edges.iter().filter_map(ClaimEdge::of).skip(offset.saturating_sub(all)).collect();
    let decided = report.decisions.iter().rev().take(DECISIONS_MAX).rev().map(Decided::of);
    let status = if report.status == "unknown" { unless_due("unknown", freshness) } else { report.status };
    let mut result = ClaimResult {
        asked: report.asked,
        status,
        explanation: cut(&report.explanation, 1_200),
        claims: Vec::new(),
        edges: Vec::new(),
        decisions: decided.collect(),
        first_seen: report.first_seen,
        extractors: report.extractors,
        models: report.models.iter().take(5).map(|model| cut(model, 100)).collect(),
        cursor: None,
        freshness,
    };
    let mut more = budget.beside(&result).fit(&mut claims);
    result.claims = claims;
    if more {
        edges.clear();
    } else if result.claims.is_empty() {
        more = budget.beside(&result).fit(&mut edges);
    } else {
        more = budget.beside(&result).fit_some(&mut edges);
    }
    result.edges = edges;
    result.cursor = cursor(offset + result.claims.len() + result.edges.len(), more);
    let others = result.edges.iter().map(|edge| &edge.other);
    let pieces: Vec<(Option<String>, Band)> = result.claims.iter().chain(others).map(AgentClaim::piece).collect();
    Told::of(&result, pieces)
}

fn entity<D: Door>(memora: &Memora, args: &EntityArgs, door: &D, freshness: Freshness) -> Result<Told, Trouble> {
    let name = args::words(&args.name)?;
    let offset = offset(args.cursor.as_deref())?;
    let limit = args.limit.unwrap_or(20).clamp(1, 50);
    let report = memora.session(door.clone())?.entity(name, offset + limit, false, freshness)?;
    let about = brief(&report.claims).map(|claim| EntityClaim { role: "subject", claim });
    let naming = brief(&report.mentions).map(|claim| EntityClaim { role: "mention", claim });
    let mut claims: Vec<_> = about.chain(naming).skip(offset).collect();
    let status = if report.status == "unknown" { unless_due("unknown", freshness) } else { report.status };
    let next = match status {
        "found" => "Answer from these claims alone and cite each by [claim:ID]; cursor leads to more.",
        "ambiguous" => "Several notes have this name: ask the user which is meant, and call again with its path.",
        "not_indexed_yet" => "Notes are being indexed: say that the index is not ready, and ask again in a moment.",
        _ => {
            "Nobody and nothing in the notes that you may see has this name. One of nearest may be meant; memora_search looks \
            for words rather than names."
        }
    };
    let mut result = EntityResult {
        status,
        meant: report.entity.iter().chain(&report.candidates).take(5).map(named).collect(),
        nearest: report.nearest.iter().take(5).map(|name| cut(name, 100)).collect(),
        claims: Vec::new(),
        co_occurs: report.co_occurs.iter().take(10).map(neighbour).collect(),
        next,
        cursor: None,
        freshness,
    };
    let more = Budget::of(args.max_tokens).beside(&result).fit(&mut claims) || report.more;
    result.cursor = cursor(offset + claims.len(), more && !claims.is_empty());
    result.claims = claims;
    let pieces = result.claims.iter().map(|claim| claim.claim.piece()).collect();
    Told::of(&result, pieces)
}

fn named(entity: &memora_engine::wire::NamedEntity) -> Named {
    Named {
        name: cut(&entity.name, 100),
        names: entity.names.iter().take(5).map(|name| cut(name, 60)).collect(),
        path: entity.path.as_deref().map(|path| cut(path, 300)),
    }
}

fn neighbour(neighbour: &memora_engine::wire::CoOccurrence) -> Neighbour {
    Neighbour { name: cut(&neighbour.name, 60), count: neighbour.count }
}
