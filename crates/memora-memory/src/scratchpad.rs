//! A scratchpad: the open tasks of a project.

use memora_vault::Band;
use strum::EnumString;

use crate::document::Document;

/// A file of tasks, one a line.
#[derive(Clone, Debug)]
pub struct Scratchpad(Document);

/// A task.
#[derive(Clone, PartialEq, Eq)]
pub struct Task {
    /// Whether it is done.
    pub done: bool,
    /// Its words.
    pub words: String,
}

/// What is done with tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum TaskOperation {
    /// They are new.
    #[default]
    Append,
    /// They are done.
    Done,
    /// They are open again.
    Undo,
    /// They go.
    Remove,
}

impl Scratchpad {
    /// Begins a scratchpad.
    #[must_use]
    pub fn new(band: Band) -> Self {
        let mut document = Document::new("scratchpad");
        document.set_privacy(band);
        Self(document)
    }

    /// Takes a document; `None` for one that is no scratchpad.
    #[must_use]
    pub fn from_document(document: Document) -> Option<Self> {
        (document.memora()? == "scratchpad").then_some(Self(document))
    }

    /// Returns its document.
    #[must_use]
    pub fn document(&self) -> &Document {
        &self.0
    }

    /// Returns its tasks, in order.
    pub fn tasks(&self) -> impl Iterator<Item = Task> {
        self.0.body.lines().filter_map(parse_task)
    }

    /// Whether a task has these words.
    #[must_use]
    pub fn has(&self, words: &str) -> bool {
        self.tasks().any(|task| same_words(&task.words, words))
    }

    /// Appends a task.
    pub fn append(&mut self, task: &Task) {
        let mark = if task.done { 'x' } else { ' ' };
        self.0.body.push_str(&format!("- [{mark}] {}\n", task.words));
    }

    /// Changes the tasks with these words; returns how many there were.
    pub fn change(&mut self, words: &str, operation: TaskOperation) -> usize {
        let mut changed = 0;
        let lines: Vec<String> = (self.0.body.split_inclusive('\n'))
            .filter_map(|line| match parse_task(line).filter(|task| same_words(&task.words, words)) {
                None => Some(line.to_owned()),
                Some(task) => {
                    changed += 1;
                    let mark = if operation == TaskOperation::Done { 'x' } else { ' ' };
                    (operation != TaskOperation::Remove).then(|| format!("- [{mark}] {}\n", task.words))
                }
            })
            .collect();
        self.0.body = lines.concat();
        changed
    }

    /// Joins the tasks of several files, in order: a later one with the same words replaces an earlier one.
    #[must_use]
    pub fn join_tasks(files: &[Self]) -> Vec<Task> {
        let mut tasks: Vec<Task> = Vec::new();
        for task in files.iter().flat_map(Self::tasks) {
            match tasks.iter_mut().find(|earlier| same_words(&earlier.words, &task.words)) {
                Some(earlier) => earlier.done = task.done,
                None => tasks.push(task),
            }
        }
        tasks
    }
}

memora_vault::wordless_debug! {
    Task(task): "{}, {} bytes", if task.done { "done" } else { "open" }, task.words.len();
}

fn parse_task(line: &str) -> Option<Task> {
    let rest = line.trim().strip_prefix("- [")?;
    let mark = rest.chars().next()?;
    let words = rest.strip_prefix(mark)?.strip_prefix("] ")?.trim();
    Some(Task { done: mark != ' ', words: words.to_owned() })
}

/// Whether two texts are the same task's, whatever their case, their last full stop, or a "To do:" in front.
fn same_words(one: &str, other: &str) -> bool {
    let words = |text: &str| -> String {
        let lower = text.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ");
        let bare = ["to do:", "todo:", "task:"].iter().find_map(|lead| lower.strip_prefix(lead)).unwrap_or(&lower);
        bare.trim().trim_end_matches('.').to_owned()
    };
    words(one) == words(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tasks(words: &[(&str, bool)]) -> Scratchpad {
        let mut pad = Scratchpad::new(Band::Public);
        for (words, done) in words {
            pad.append(&Task { done: *done, words: (*words).to_owned() });
        }
        pad
    }

    #[test]
    fn tasks_are_closed_opened_and_removed_by_their_words() {
        let mut pad = tasks(&[("Fix the port", false), ("Write docs", false)]);
        assert_eq!(pad.change("fix  the Port", TaskOperation::Done), 1);
        assert_eq!(pad.document().body, "- [x] Fix the port\n- [ ] Write docs\n");
        assert_eq!(pad.change("Fix the port", TaskOperation::Undo), 1);
        assert_eq!(pad.change("Write docs", TaskOperation::Remove), 1);
        assert_eq!(pad.change("nothing", TaskOperation::Done), 0);
        assert_eq!(pad.document().body, "- [ ] Fix the port\n");
    }

    #[test]
    fn a_later_file_closes_a_task_of_an_earlier_one() {
        let joined =
            Scratchpad::join_tasks(&[tasks(&[("a", false), ("b", false)]), tasks(&[("A", true), ("c", false)])]);
        let open: Vec<&str> = joined.iter().filter(|task| !task.done).map(|task| task.words.as_str()).collect();
        assert_eq!(open, ["b", "c"]);
    }
}
