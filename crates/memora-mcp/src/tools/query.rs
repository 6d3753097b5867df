//! `memora_query_cited`: returns claims to answer a question from, or an answer drafted by Memora's own model.

use memora_engine::report::{AnswerStatus, AskReport, RemovedReport};
use memora_engine::{
    Authors, CloudDoor, ConnectedModel, Door, LanguageModel, ModelCall, ModelLimits, ModelsAllowed, SearchOptions,
};
use memora_service::ReadContext;
use rmcp::model::CallToolResult;
use schemars::JsonSchema;
use serde::Deserialize;

use super::args::{self, NoteScope};
use super::{AgentTool, structured_response};
use crate::budget::{ResultBudget, truncate_text};
use crate::request::{INDEXING_HINT, Response};
use crate::tool_error::ToolError;
use crate::wire::{
    AgentClaim, AgentPassage, ClaimDetail, ComparedSentence, ContestedClaim, QueryResult, QueryStatus, WithheldSubject,
};

/// Citation instructions for every client.
const HOW_TO_CITE: &str = "Put [claim:ID] behind each sentence, with the id of a claim above that says \
    so. Say nothing about the user's notes that no claim says. Then pass the whole draft to memora_verify.";

/// What follows where the notes say two things.
const CONTESTED_NEXT: &str = "The notes say two things here, and the user has not decided which holds: say both, each with its \
    citation, and ask the user which. Pass the draft to memora_verify before the user sees it.";

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct QueryArgs {
    /// The question, in the user's words. Dates count: "in March 2024", "last week", "in the summer
    /// of 2019".
    question: String,
    /// How many claims at most, 1 to 20; 5 if not given, and 10 where only a time is asked about.
    #[serde(default)]
    limit: Option<usize>,
    /// Where the user configured a language model of Memora's own: `repair` takes out of its draft what the notes do not bear
    /// out and asks again; `strict` takes a draft in which everything is proven, or none. Without such a model it is of no effect.
    #[serde(default)]
    mode: DraftMode,
    #[serde(flatten)]
    within: NoteScope,
    /// How long the result may be, in tokens of three bytes of JSON each; 3000 to 25000.
    #[serde(default)]
    max_tokens: Option<usize>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DraftMode {
    #[default]
    Repair,
    Strict,
}

impl AgentTool for QueryArgs {
    const NAME: &'static str = "memora_query_cited";
    const TITLE: &'static str = "Answer from the user's notes, with citations";
    const DESCRIPTION: &'static str = "Finds what the user's notes say to a question, each claim re-read in its note a moment \
        ago, with how to cite it. Call this first when a question may be answered by the user's own notes. Where the user \
        configured a model for Memora, the result holds a drafted and verified answer.";
    const IS_SLOW: bool = true;
    type Result = QueryResult<CloudDoor>;

    fn answer<D: Door>(&self, reading: &ReadContext<'_, D>) -> Result<Response<CallToolResult>, ToolError> {
        let question = args::checked_query(&self.question)?;
        let (since, until) = self.within.time_range()?;
        let options = SearchOptions {
            since,
            until,
            filter: self.within.note_filter(reading)?,
            authors: Authors::with_captured(self.within.captured),
            as_of: self.within.as_of()?,
            ..SearchOptions::for_answer(self.limit, 20)
        };
        let budget = ResultBudget::from_tokens(self.max_tokens);
        // The model sees only the user's own notes: its answer is presented as the content of the notes.
        let own = SearchOptions { authors: Authors::User, ..options.clone() };
        let asked = DraftQuestion { reading, question, options: &own, mode: self.mode };
        match asked.connect_model()? {
            // A model on this machine sees what the client may see, so its draft may be sent to the client.
            Some(ConnectedModel::Local(near)) => {
                answer_response(&asked.draft_answer(&near, reading.door(), false)?, Some(self.mode), budget)
            }
            Some(ConnectedModel::Remote(far)) => answer_response(
                &asked.draft_answer::<CloudDoor>(&far, &reading.memora().cloud_door(), true)?,
                Some(self.mode),
                budget,
            ),
            None => answer_response(
                &reading.session()?.answerer().answer_question(question, &options, reading.freshness())?,
                None,
                budget,
            ),
        }
    }
}

/// A question that Memora's own language model may draft an answer to.
struct DraftQuestion<'a, C: Door> {
    reading: &'a ReadContext<'a, C>,
    question: &'a str,
    options: &'a SearchOptions,
    mode: DraftMode,
}

impl<C: Door> DraftQuestion<'_, C> {
    /// Returns the user's configured model, if it may be asked about this vault.
    fn connect_model(&self) -> Result<Option<ConnectedModel>, ToolError> {
        let (memora, stop) = (self.reading.memora(), self.reading.stop_flag());
        let allowed = memora.vault().allowed_models();
        let Some(config) = memora.config().model.as_ref().filter(|_| allowed != ModelsAllowed::None) else {
            return Ok(None);
        };
        let model = memora.connect_model(config, &ModelLimits::from_config(config), stop)?;
        Ok(Some(model).filter(|model| model.is_local() || allowed != ModelsAllowed::Local))
    }

    fn draft_answer<D: Door>(
        &self,
        model: &dyn LanguageModel<D>,
        door: &D,
        leaves: bool,
    ) -> Result<AskReport<D>, ToolError> {
        let Self { question, options, mode, .. } = *self;
        let (memora, freshness, stop) = (self.reading.memora(), self.reading.freshness(), self.reading.stop_flag());
        let strict = mode == DraftMode::Strict || memora.config().strict;
        let asking = ModelCall { model, leaves, strict, stop };
        Ok(match mode {
            DraftMode::Repair => memora.ask_model(question, options, door, &asking, freshness)?,
            DraftMode::Strict => memora.ask_model_strictly(question, options, door, &asking, freshness)?,
        })
    }
}

/// Builds the response from an answer; `drafted` is the mode in which a model was asked, if one was.
fn answer_response<D: Door>(
    report: &AskReport<D>,
    drafted: Option<DraftMode>,
    budget: ResultBudget,
) -> Result<Response<CallToolResult>, ToolError> {
    let status = match report.status {
        AnswerStatus::NoEvidence if !report.freshness.fresh => QueryStatus::NotIndexedYet,
        AnswerStatus::Verified if drafted.is_none() => QueryStatus::Claims,
        status => status.into(),
    };
    let next = match status {
        QueryStatus::Claims => {
            "Draft an answer from these claims and the lines under nearest alone, cite them, and pass the draft to memora_verify. Weak \
            claims may be about something else: read what is nearest. memora_search looks for more."
        }
        QueryStatus::Verified | QueryStatus::Supported | QueryStatus::Partial => {
            "This is what the notes bear out, with its citations: give it to the user with \
            them, and beside each sentence under compare the words of the notes, since its wording is not proven. What you change in it, pass to \
            memora_verify."
        }
        QueryStatus::NotIndexedYet => INDEXING_HINT,
        QueryStatus::NoEvidence => {
            "Nothing was found that answers this outright. Read what is under nearest: where it answers, say so and cite its lines; \
            else look for other words with memora_search before you say that you found nothing."
        }
        QueryStatus::Withheld => {
            "What this was drafted from has just become guarded. Tell the user that it is withheld."
        }
        QueryStatus::Unverified if drafted == Some(DraftMode::Strict) => {
            "The notes do not support all of the draft, so none of it is given. Ask with mode repair for what is, or \
            draft from what memora_search finds."
        }
        QueryStatus::Unverified => {
            "The notes support no sentence of the draft. Look with memora_search, and draft from what it finds."
        }
    };
    let removed = report.drafted.as_ref().map_or(0, |by| {
        let RemovedReport { contradicted, unsupported, paraphrased, rejected, uncited, citations: _ } = by.removed;
        contradicted + unsupported + paraphrased + rejected + uncited
    });
    let mut result = QueryResult {
        status,
        relevance: report.relevance,
        answer: None,
        compare: Vec::new(),
        claims: Vec::new(),
        nearest: Vec::new(),
        contested: Vec::new(),
        withheld: WithheldSubject::from_redacted(&report.redacted),
        drafted_by: report.drafted.as_ref().map(|by| truncate_text(&by.model, 100)),
        removed,
        more: false,
        how_to_cite: HOW_TO_CITE,
        next,
        freshness: report.freshness,
    };
    if drafted.is_some() && !report.answer.is_empty() {
        let (answer, cut) = budget.reserve_for(&result).fit_lines(&report.answer);
        (result.answer, result.more) = (Some(answer), cut);
        let sentences = report.sentences.iter();
        let mut compare: Vec<_> =
            sentences.filter_map(|s| ComparedSentence::from_paraphrase(s, &report.claims)).collect();
        let is_cut = budget.reserve_for(&result).fit_any(&mut compare);
        (result.compare, result.more) = (compare, result.more || is_cut);
        if is_cut {
            result.next = "Not every sentence of the answer that is in words of its own is under compare: take each that is not for \
                unproven, or ask again with more max_tokens. Give the user the words of the notes beside those that are.";
        }
    }
    let mut claims: Vec<_> = AgentClaim::iter_brief(&report.claims).collect();
    let room = budget.reserve_for(&result);
    result.more |= if result.answer.is_some() { room.fit_any(&mut claims) } else { room.fit_at_least_one(&mut claims) };
    result.claims = claims;
    let mut nearest: Vec<_> = report.nearest.iter().map(AgentPassage::from_passage).collect();
    result.more |= budget.reserve_for(&result).fit_any(&mut nearest);
    result.nearest = nearest;
    let is_listed = |contested: &&memora_engine::report::ContestedClaim<D>| {
        result.answer.is_some() || result.claims.iter().any(|claim| claim.id() == contested.claim)
    };
    let contested = report.contested.iter().filter(is_listed).filter_map(|contested| {
        let claim = AgentClaim::from_wire(&contested.against, ClaimDetail::Brief)?;
        Some(ContestedClaim { contests: contested.claim.clone(), claim })
    });
    let mut contested: Vec<_> = contested.collect();
    result.more |= budget.reserve_for(&result).fit_any(&mut contested);
    result.contested = contested;
    if !result.contested.is_empty() {
        result.next = CONTESTED_NEXT;
    }
    // Log every claim behind the answer, whether it is listed or not.
    let pieces = AgentClaim::iter_brief(&report.claims)
        .map(|claim| claim.egress_item())
        .chain(result.contested.iter().map(|contested| contested.claim.egress_item()))
        .chain(result.withheld.iter().map(WithheldSubject::egress_item))
        .chain(
            report.nearest.iter().flat_map(|passage| &passage.lines).map(|line| (Some(line.claim.clone()), line.band)),
        );
    let pieces = pieces.collect();
    structured_response(&result, pieces)
}
