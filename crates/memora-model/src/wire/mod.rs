//! The wire formats of the providers, one file each.
//!
//! Invariant: **reply text is never repeated in errors.** A reply may contain anything, even the prompt. Errors are
//! described in our own words.

mod anthropic;
mod exchange;
mod ollama;
mod openai;
mod remote;

use reqwest::Url;

use crate::config::Provider;

pub(crate) use exchange::{CompletionRequest, ParsedReply, ReplyError};
pub(crate) use remote::{ModelLocation, is_remote_reply, parse_location, show_request_body};

/// The URL for completions.
pub(crate) fn completions_url(provider: Provider, base: &Url) -> Url {
    let path = base.path().trim_end_matches('/');
    let path = match provider {
        Provider::Ollama => format!("{}/api/chat", path.strip_suffix("/api").unwrap_or(path)),
        Provider::OpenAi if path.is_empty() => "/v1/chat/completions".to_owned(),
        Provider::OpenAi => format!("{path}/chat/completions"),
        Provider::Anthropic => format!("{}/v1/messages", path.strip_suffix("/v1").unwrap_or(path)),
    };
    let mut url = base.clone();
    url.set_path(&path);
    url
}

/// The URLs at which an Ollama behind this address may say where its models run.
///
/// Ollama is asked at its own path. With another format, an Ollama may be behind any prefix of the path.
pub(crate) fn show_urls(provider: Provider, base: &Url) -> Vec<Url> {
    let path = base.path().trim_end_matches('/');
    let mut before = match provider {
        Provider::Ollama => vec![path.strip_suffix("/api").unwrap_or(path)],
        Provider::OpenAi | Provider::Anthropic => {
            let ends = path.match_indices('/').filter_map(|(end, _)| path.get(..end));
            ends.chain([path]).map(|before| before.trim_end_matches('/')).collect()
        }
    };
    before.dedup();
    let url = |before: &str| {
        let mut url = base.clone();
        url.set_path(&format!("{before}/api/show"));
        url
    };
    before.into_iter().map(url).collect()
}

/// The header for the key, and the prefix of its value.
pub(crate) fn key_header(provider: Provider) -> (&'static str, &'static str) {
    match provider {
        Provider::Ollama | Provider::OpenAi => ("authorization", "Bearer "),
        Provider::Anthropic => ("x-api-key", ""),
    }
}

/// Other headers specific to the provider.
pub(crate) fn provider_headers(provider: Provider) -> &'static [(&'static str, &'static str)] {
    match provider {
        Provider::Ollama | Provider::OpenAi => &[],
        Provider::Anthropic => &[("anthropic-version", "2023-06-01")],
    }
}

/// Builds the body of a completion request.
pub(crate) fn request_body(provider: Provider, ask: &CompletionRequest<'_>) -> Vec<u8> {
    match provider {
        Provider::Ollama => ollama::request_body(ask),
        Provider::OpenAi => openai::request_body(ask),
        Provider::Anthropic => anthropic::request_body(ask),
    }
}

/// Parses a reply.
pub(crate) fn parse_reply(provider: Provider, body: &[u8]) -> Result<ParsedReply, ReplyError> {
    let text = std::str::from_utf8(body).map_err(|_| ReplyError::NotUnderstood("it is not UTF-8"))?;
    if text.trim().is_empty() {
        return Err(ReplyError::NotUnderstood("it is empty"));
    }
    match provider {
        Provider::Ollama => ollama::parse_reply(text),
        Provider::OpenAi => openai::parse_reply(text),
        Provider::Anthropic => anthropic::parse_reply(text),
    }
}

#[cfg(test)]
mod tests {
    use super::exchange::parse_schema;
    use super::*;

    #[test]
    fn an_address_is_understood_as_its_provider_would() {
        let check = |provider, base: &str, expect: &str| {
            let base = Url::parse(base).expect("an address");
            assert_eq!(completions_url(provider, &base).as_str(), expect);
        };
        check(Provider::Ollama, "http://127.0.0.1:11434", "http://127.0.0.1:11434/api/chat");
        check(Provider::Ollama, "http://127.0.0.1:11434/api/", "http://127.0.0.1:11434/api/chat");
        check(Provider::Ollama, "https://example.org/ollama", "https://example.org/ollama/api/chat");
        check(Provider::OpenAi, "https://api.openai.com/v1", "https://api.openai.com/v1/chat/completions");
        check(Provider::OpenAi, "http://127.0.0.1:8080", "http://127.0.0.1:8080/v1/chat/completions");
        check(Provider::OpenAi, "https://example.org/api/v3/", "https://example.org/api/v3/chat/completions");
        check(Provider::Anthropic, "https://api.anthropic.com", "https://api.anthropic.com/v1/messages");
        check(Provider::Anthropic, "https://api.anthropic.com/v1/", "https://api.anthropic.com/v1/messages");
        check(Provider::Anthropic, "https://example.org/anthropic", "https://example.org/anthropic/v1/messages");
    }

    #[test]
    fn an_ollama_is_looked_for_wherever_it_may_be() {
        let check = |provider, path: &str, expect: &[&str]| {
            let base = Url::parse(&format!("http://127.0.0.1:1{path}")).expect("an address");
            let paths: Vec<_> = show_urls(provider, &base).iter().map(|url| url.path().to_owned()).collect();
            assert_eq!(paths, expect, "{path}");
        };
        for path in ["/a", "/a/", "/a/api"] {
            check(Provider::Ollama, path, &["/a/api/show"]);
        }
        check(Provider::Ollama, "", &["/api/show"]);
        for provider in [Provider::OpenAi, Provider::Anthropic] {
            check(provider, "", &["/api/show"]);
            check(provider, "/", &["/api/show"]);
            check(provider, "/v1", &["/api/show", "/v1/api/show"]);
            check(provider, "/ollama", &["/api/show", "/ollama/api/show"]);
            let all = ["/api/show", "/ollama/api/show", "/ollama/v1/api/show"];
            check(provider, "/ollama/v1", &all);
            check(provider, "/ollama/v1/", &all);
            check(provider, "/ollama//v1", &["/api/show", "/ollama/api/show", "/ollama//v1/api/show"]);
        }
    }

    #[test]
    fn the_schemas_of_the_templates_are_json() {
        for template in memora_redact::Template::ALL {
            assert!(template.reply_schema().is_none_or(|text| parse_schema(text).get() == text.trim()));
        }
    }

    #[test]
    fn no_reply_is_repeated_by_what_is_said_of_it() {
        for provider in Provider::ALL {
            for text in
                ["\"canary\"", "{\"canary\": 1}", "canary", "{\"error\": \"canary\"}", "[[[[\"canary\"", "{}", "null"]
            {
                let Err(ReplyError::NotUnderstood(what)) = parse_reply(provider, text.as_bytes()) else {
                    panic!("{text}")
                };
                assert!(!what.contains("canary"));
            }
            let deep = format!("{{\"message\": {}", "[".repeat(100_000));
            assert!(matches!(parse_reply(provider, deep.as_bytes()), Err(ReplyError::NotUnderstood(_))));
            assert_eq!(parse_reply(provider, b" \n").err(), Some(ReplyError::NotUnderstood("it is empty")));
            assert_eq!(parse_reply(provider, b"{\"\xff\"}").err(), Some(ReplyError::NotUnderstood("it is not UTF-8")));
        }
    }
}
