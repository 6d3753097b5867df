//! Which tools of a server are used, by the table in `data/tools.txt` and by patterns for what it does not have; and the
//! names that arguments and results go by, in `data/names.txt`.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use rmcp::model::{JsonObject, Tool};

/// What a tool is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Search,
    Save,
    Delete,
    List,
}

impl Role {
    /// The word for it, as in the table and in messages.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Save => "save",
            Self::Delete => "delete",
            Self::List => "list",
        }
    }
}

/// The names of tools of known servers, with their roles.
static KNOWN: LazyLock<Vec<(&str, &str)>> =
    LazyLock::new(|| include_str!("../data/tools.txt").lines().filter_map(|line| line.split_once(' ')).collect());

/// Words in the name or the command of a server that may keep memories.
static SERVERS: LazyLock<Vec<&str>> = LazyLock::new(|| include_str!("../data/servers.txt").lines().collect());

/// Names of arguments of tools and of fields of results, by what they are for, the likeliest first; and of variables that programs need
/// to run, to find their files, and to speak the user's language: the SDKs of the protocol pass on most of these, and no others.
static NAMES: LazyLock<HashMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let lines = include_str!("../data/names.txt").lines().filter_map(|line| line.split_once(": "));
    lines.map(|(of, names)| (of, names.split(' ').collect())).collect()
});

/// The names for something.
pub(crate) fn known_names(of: &str) -> &'static [&'static str] {
    NAMES.get(of).map(Vec::as_slice).unwrap_or_default()
}

/// Returns whether a server may keep memories, by its name and its command.
#[must_use]
pub fn is_like_memory_server<'w>(words: impl IntoIterator<Item = &'w str>) -> bool {
    words.into_iter().any(|word| SERVERS.iter().any(|server| word.to_lowercase().contains(server)))
}

/// A tool of a server.
#[derive(Clone, Debug)]
pub(crate) struct ChosenTool {
    pub(crate) name: String,
    pub(crate) schema: Arc<JsonObject>,
}

/// The tools of a server that are used, by what they are for; by default their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChosenTools<T = String> {
    /// The one that searches.
    pub search: Option<T>,
    /// The one that saves.
    pub save: Option<T>,
    /// The one that deletes.
    pub delete: Option<T>,
    /// The one that lists everything.
    pub list: Option<T>,
}

impl<T> ChosenTools<T> {
    fn for_roles(tool: impl Fn(Role) -> Option<T>) -> Self {
        Self { search: tool(Role::Search), save: tool(Role::Save), delete: tool(Role::Delete), list: tool(Role::List) }
    }
}

/// What a server says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerDescription {
    /// Its name and version, as it tells them: untrusted.
    pub name: String,
    /// Its tools that are used.
    pub tools: ChosenTools,
}

impl ChosenTools<ChosenTool> {
    /// Chooses among the tools of a server.
    pub(crate) fn choose(all: &[Tool]) -> Self {
        Self::for_roles(|role| {
            let known = KNOWN.iter().filter(|(known, _)| *known == role.as_str());
            let named = known.filter_map(|(_, name)| all.iter().find(|tool| tool.name == *name));
            let alike = || all.iter().find(|tool| is_legible(&tool.name) && is_like(role, &tool.name.to_lowercase()));
            let tool = named.into_iter().next().or_else(alike)?;
            Some(ChosenTool { name: tool.name.clone().into_owned(), schema: Arc::clone(&tool.input_schema) })
        })
    }

    pub(crate) fn of(&self, role: Role) -> Option<&ChosenTool> {
        match role {
            Role::Search => self.search.as_ref(),
            Role::Save => self.save.as_ref(),
            Role::Delete => self.delete.as_ref(),
            Role::List => self.list.as_ref(),
        }
    }

    pub(crate) fn names(&self) -> ChosenTools {
        ChosenTools::for_roles(|role| self.of(role).map(|tool| tool.name.clone()))
    }
}

/// Whether a name may be printed.
pub(crate) fn is_legible(name: &str) -> bool {
    name.len() <= 64 && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/'))
}

/// Whether a tool that the table does not have is one for memories, by its name. One that deletes has to be known.
fn is_like(role: Role, name: &str) -> bool {
    let behind_memory = |words: &[&str]| {
        name.split_once("memory").is_some_and(|(_, rest)| words.iter().any(|word| rest.contains(word)))
    };
    match role {
        Role::Search => behind_memory(&["search"]) || name.contains("recall"),
        Role::Save => behind_memory(&["save", "store", "add", "write"]),
        Role::Delete | Role::List => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(names: &[&str]) -> ChosenTools {
        let tool = |name: &&str| Tool::new((*name).to_owned(), "", JsonObject::new());
        ChosenTools::choose(&names.iter().map(tool).collect::<Vec<_>>()).names()
    }

    #[test]
    fn known_tools_come_before_those_with_similar_names() {
        let mem0 = chosen(&["delete_all_memories", "delete_memory", "search_memories", "add_memory", "get_memories"]);
        assert_eq!(mem0.search.as_deref(), Some("search_memories"));
        assert_eq!(mem0.save.as_deref(), Some("add_memory"));
        assert_eq!(mem0.delete.as_deref(), Some("delete_memory"));
        assert_eq!(mem0.list.as_deref(), Some("get_memories"));
        let reference = chosen(&["create_entities", "search_nodes", "read_graph", "delete_entities", "open_nodes"]);
        assert_eq!(reference.save.as_deref(), Some("create_entities"));
        let other = chosen(&["memory_v2_search", "my_memory_store", "memory_delete_everything"]);
        assert_eq!(other.search.as_deref(), Some("memory_v2_search"));
        assert_eq!(other.save.as_deref(), Some("my_memory_store"));
        assert_eq!((other.delete, other.list), (None, None));
        assert_eq!(chosen(&["read_file", "searcher", "memory\u{202e}search"]), ChosenTools::default());
    }

    #[test]
    fn the_table_is_sorted_and_has_known_roles() {
        let lines: Vec<&str> = include_str!("../data/tools.txt").lines().collect();
        assert!(lines.is_sorted() && SERVERS.is_sorted(), "LC_ALL=C sort");
        for (role, name) in KNOWN.iter() {
            assert!(["search", "save", "delete", "list"].contains(role) && is_legible(name), "{role} {name}");
        }
        assert_eq!(KNOWN.len(), lines.len());
        for of in [
            "query",
            "words",
            "id",
            "title",
            "kind",
            "place",
            "limit",
            "result-text",
            "result-id",
            "result-subject",
            "variable",
        ] {
            assert!(!known_names(of).is_empty(), "{of}");
        }
    }

    #[test]
    fn a_server_is_known_by_its_name_or_its_command() {
        assert!(is_like_memory_server(["notes", "npx", "-y", "@modelcontextprotocol/server-memory"]));
        assert!(is_like_memory_server(["Mem0", "uvx"]));
        assert!(!is_like_memory_server(["github", "npx", "server-github"]));
    }
}
