-- Which statements stand in notes that machines wrote, without looking at all notes.
CREATE INDEX notes_captured ON notes (captured) WHERE captured = 1;
