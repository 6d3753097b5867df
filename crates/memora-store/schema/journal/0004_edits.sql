-- Numbers that were edited in place: which statement became which, where, and what the former one said. Words are kept of what
-- is and was public alone; of a guarded one `note` is the empty string and `words` is NULL.
CREATE TABLE edits (
    former INTEGER NOT NULL,
    now    INTEGER NOT NULL,
    note   TEXT    NOT NULL,
    band   INTEGER NOT NULL,
    at     INTEGER NOT NULL,
    words  TEXT,
    PRIMARY KEY (former, now, note)
) STRICT, WITHOUT ROWID;
CREATE INDEX edits_by_now ON edits (now);
CREATE INDEX edits_by_note ON edits (note);
CREATE INDEX edits_by_time ON edits (at);
