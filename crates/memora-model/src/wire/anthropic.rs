//! Messages as Anthropic has them.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{Ask, Message, Odd, Said, bytes, json, schema};

/// Nothing is said of temperature: the models since Opus 4.7 turn down requests that do. A schema goes into
/// `output_config`, not into a tool that must be used: the models since Opus 5.5 turn that down.
#[derive(Serialize)]
struct Messages<'a> {
    model: &'a str,
    max_tokens: u32,
    system: &'static str,
    messages: [Message<'a>; 1],
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_config: Option<Output>,
}

#[derive(Serialize)]
struct Output {
    format: Format,
}

#[derive(Serialize)]
struct Format {
    r#type: &'static str,
    schema: &'static RawValue,
}

pub(super) fn body(ask: &Ask<'_>) -> Vec<u8> {
    let output = |(_, text)| Output { format: Format { r#type: "json_schema", schema: schema(text) } };
    bytes(&Messages {
        model: ask.model,
        max_tokens: ask.tokens_max,
        system: ask.system,
        messages: [Message::user(ask.user)],
        stream: false,
        output_config: ask.schema.map(output),
    })
}

#[derive(Deserialize)]
struct Reply {
    content: Vec<Block>,
    stop_reason: Option<String>,
    #[serde(default)]
    usage: Option<Usage>,
}

/// A piece of a reply: words, or thoughts, which are passed over.
#[derive(Deserialize)]
struct Block {
    r#type: String,
    #[serde(default)]
    text: Option<String>,
}

#[derive(Deserialize)]
struct Usage {
    #[serde(default)]
    input_tokens: Option<u64>,
    #[serde(default)]
    output_tokens: Option<u64>,
}

pub(super) fn read(text: &str) -> Result<Said, Odd> {
    let reply: Reply = json(text)?;
    let ended = reply.stop_reason.as_deref();
    if ended == Some("refusal") {
        return Err(Odd::Refused);
    }
    let words = reply.content.into_iter().filter(|block| block.r#type == "text").filter_map(|block| block.text);
    Ok(Said {
        text: words.collect(),
        tokens: reply.usage.and_then(|usage| usage.input_tokens.zip(usage.output_tokens)),
        truncated: matches!(ended, Some("max_tokens" | "model_context_window_exceeded")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thoughts_are_no_words() {
        let text = r#"{"content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "a"},
            {"type": "text", "text": "b"}], "stop_reason": "end_turn", "usage": {"input_tokens": 3, "output_tokens": 4}}"#;
        let said = read(text).unwrap_or_default();
        assert_eq!((said.text.as_str(), said.tokens, said.truncated), ("ab", Some((3, 4)), false));
        let text = r#"{"content": [], "stop_reason": "refusal"}"#;
        assert_eq!(read(text).err(), Some(Odd::Refused));
    }
}
