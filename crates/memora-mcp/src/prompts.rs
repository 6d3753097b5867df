//! Prompts that a user picks in the client; they direct its model to citations that hold.
//!
//! They contain nothing of the vault: only the user's input and instructions.

use rmcp::model::{GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role};

use crate::tool_error::ToolError;

const ANSWER_PROMPT: &str = "answer_from_my_vault";
const REVIEW_PROMPT: &str = "review_my_vault";

/// The maximum size of the user's input, in bytes.
const PROMPT_BYTES_MAX: usize = 4_000;

/// Returns the prompts, as `prompts/list` lists them.
#[must_use]
pub fn prompts() -> Vec<Prompt> {
    let question = PromptArgument::new("question").with_description("What you want to know.").with_required(true);
    let about = PromptArgument::new("about")
        .with_description("A person, a thing, a note: everything where this is left out.")
        .with_required(false);
    vec![
        Prompt::new(
            ANSWER_PROMPT,
            Some("An answer from your own notes, every sentence cited and verified."),
            Some(vec![question]),
        )
        .with_title("Answer from my vault"),
        Prompt::new(REVIEW_PROMPT, Some("What in your notes contradicts itself, with both quotes."), Some(vec![about]))
            .with_title("Review my vault"),
    ]
}

/// Whether an argument of a prompt is the name of a note.
pub(crate) fn is_note_argument(prompt: &str, argument: &str) -> bool {
    prompt == REVIEW_PROMPT && argument == "about"
}

/// Renders a prompt with the user's input; `None` if there is no such prompt.
pub(crate) fn render_prompt(name: &str, arguments: Option<&JsonObject>) -> Option<Result<GetPromptResult, ToolError>> {
    let typed = |key: &str| {
        let value = arguments.and_then(|arguments| arguments.get(key)).and_then(|value| value.as_str());
        value.map(str::trim).filter(|value| !value.is_empty())
    };
    let text = match name {
        ANSWER_PROMPT => match typed("question") {
            Some(question) => answer_prompt_text(question),
            None => return Some(Err(ToolError::new("there is no question", "give the argument `question`"))),
        },
        REVIEW_PROMPT => review_prompt_text(typed("about")),
        _ => return None,
    };
    if text.len() > PROMPT_BYTES_MAX {
        return Some(Err(ToolError::new("that is longer than 4000 bytes", "ask in a sentence")));
    }
    Some(Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)])))
}

fn answer_prompt_text(question: &str) -> String {
    format!(
        "Answer this from my own notes: {question}\n\n\
         1. Call memora_find with the question in my words, and with other wordings in `also`. Read what it shows and judge whether it \
         answers; where it does not, look once more in words that a note would have.\n\
         2. Draft the answer from those lines and from nothing else. Put [claim:ID] behind each sentence, with the id of the line that says \
         so. Where lines are contested or no longer hold, say which holds since when.\n\
         3. Call memora_verify with the whole draft, and mend what it names. Never give me a sentence about my notes that it did not let \
         stand.\n\
         4. Tell me what my notes do not say, and that something was withheld from you if it was. Do not guess at either."
    )
}

fn review_prompt_text(about: Option<&str>) -> String {
    let (whom, narrow) = match about {
        Some(about) => (
            format!("what my notes say about {about}"),
            format!("Keep to what is about {about}: call memora_about with that name, too, and compare its lines."),
        ),
        None => ("my notes".to_owned(), "Begin with the first ten.".to_owned()),
    };
    format!(
        "Review {whom} with me.\n\n\
         1. Call memora_review for contradictions, for stale, and for everything. {narrow}\n\
         2. For each pair show me both quotes with their notes and dates, and say in a sentence what is at odds. Cite both by \
         [claim:ID]. Read one with memora_read where you need what it is to others.\n\
         3. Ask me which holds. Decide nothing yourself: I decide, with `memora keep CLAIM` in a terminal, or by changing the \
         note.\n\
         4. Call memora_verify with your summary before you give it to me."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(name: &str, arguments: &serde_json::Value) -> Option<Result<String, ToolError>> {
        let result = render_prompt(name, arguments.as_object())?;
        Some(result.map(|result| serde_json::to_string(&result.messages).expect("JSON")))
    }

    #[test]
    fn every_prompt_says_which_tools_to_call() {
        let tools = crate::tools();
        for listed in prompts() {
            let arguments = serde_json::json!({"question": "Where does Anna work?", "about": "Anna"});
            let text = text(&listed.name, &arguments).expect("it is listed").expect("it has its arguments");
            assert!(text.contains("Anna") && text.contains("memora_verify"), "{text}");
            for word in
                text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| word.starts_with("memora_"))
            {
                assert!(tools.iter().any(|tool| tool.name == word), "{word} is no tool");
            }
        }
    }

    #[test]
    fn a_prompt_without_its_argument_is_refused() {
        for arguments in
            [serde_json::json!({}), serde_json::json!({"question": " "}), serde_json::json!({"question": 7})]
        {
            assert!(text(ANSWER_PROMPT, &arguments).is_some_and(|read| read.is_err()), "{arguments}");
        }
        assert!(text(REVIEW_PROMPT, &serde_json::json!({})).is_some_and(|read| read.is_ok()));
        let long = serde_json::json!({"question": "word ".repeat(1_000)});
        assert!(text(ANSWER_PROMPT, &long).is_some_and(|read| read.is_err()));
        assert_eq!(text("frobnicate", &serde_json::json!({})), None);
    }
}
