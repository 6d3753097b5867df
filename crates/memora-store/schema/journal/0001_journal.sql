-- The journal: what only watching can know. Kept when the index is rebuilt; it may only propose.

-- Places where a statement stood once. Of a guarded place only the statement, its band and the time are kept: `note` is
-- then the empty string and the rest is NULL.
CREATE TABLE former (
    statement   INTEGER NOT NULL,
    note        TEXT    NOT NULL,
    start_byte  INTEGER NOT NULL,
    band        INTEGER NOT NULL,
    removed_at  INTEGER NOT NULL,
    end_byte    INTEGER,
    fingerprint BLOB,
    zone        TEXT,
    headings    TEXT,
    parent      TEXT,
    outline     TEXT,
    PRIMARY KEY (statement, note, start_byte)
) STRICT, WITHOUT ROWID;
CREATE INDEX former_by_note ON former (note);
CREATE INDEX former_by_time ON former (removed_at);

-- Where a note went. Kept flat: no `to_path` is another row's `from_path`.
CREATE TABLE renames (
    from_path TEXT PRIMARY KEY,
    to_path   TEXT    NOT NULL,
    at        INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX renames_by_target ON renames (to_path);

CREATE TABLE first_seen (
    statement INTEGER PRIMARY KEY,
    at        INTEGER NOT NULL
) STRICT;
