-- index.db, format 18

CREATE TABLE state (
    only_row     INTEGER PRIMARY KEY CHECK (only_row = 1),
    uuid         TEXT    NOT NULL,
    sequence     INTEGER NOT NULL,
    pruned       INTEGER NOT NULL,
    rules        TEXT,
    next_wording INTEGER NOT NULL
) STRICT;

CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE notes (
    id         INTEGER PRIMARY KEY,
    path       TEXT    NOT NULL UNIQUE,
    size       INTEGER NOT NULL,
    mtime_ns   INTEGER NOT NULL,
    ctime_ns   INTEGER NOT NULL,
    inode      INTEGER NOT NULL,
    hash       BLOB    NOT NULL,
    band       INTEGER NOT NULL,
    captured   INTEGER NOT NULL,
    title      TEXT,
    subject    TEXT,
    date       TEXT,
    first_day  INTEGER,
    last_day   INTEGER,
    aliases    BLOB,
    tags       BLOB,
    properties BLOB,
    outline    BLOB,
    texts      BLOB
) STRICT;

CREATE INDEX notes_by_day ON notes (first_day, last_day) WHERE first_day IS NOT NULL;

CREATE INDEX notes_captured ON notes (captured) WHERE captured = 1;

CREATE TABLE note_terms (
    term INTEGER NOT NULL,
    note INTEGER NOT NULL REFERENCES notes (id) ON DELETE CASCADE,
    PRIMARY KEY (term, note)
) STRICT, WITHOUT ROWID;

CREATE INDEX note_terms_by_note ON note_terms (note);

CREATE TABLE skipped (
    path   TEXT PRIMARY KEY,
    reason TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE problems (
    note    INTEGER NOT NULL REFERENCES notes (id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    line    INTEGER NOT NULL,
    kind    TEXT    NOT NULL,
    PRIMARY KEY (note, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE wordings (
    id        INTEGER PRIMARY KEY,
    statement INTEGER NOT NULL,
    digest    INTEGER NOT NULL,
    kind      INTEGER NOT NULL,
    words     TEXT    NOT NULL,
    claims    BLOB
) STRICT;

CREATE TABLE sources (
    note        INTEGER NOT NULL REFERENCES notes (id) ON DELETE CASCADE,
    ordinal     INTEGER NOT NULL,
    statement   INTEGER NOT NULL,
    wording     INTEGER NOT NULL,
    start_byte  INTEGER NOT NULL,
    length      INTEGER NOT NULL,
    line        INTEGER NOT NULL,
    fingerprint BLOB    NOT NULL,
    band        INTEGER NOT NULL,
    zone        INTEGER NOT NULL,
    before      INTEGER,
    block       INTEGER NOT NULL,
    within      INTEGER,
    headings    BLOB,
    parent      INTEGER,
    speaker     INTEGER,
    block_id    TEXT,
    cites       BLOB,
    PRIMARY KEY (note, ordinal)
) STRICT, WITHOUT ROWID;

CREATE INDEX sources_by_statement ON sources (statement, wording, band);

CREATE INDEX sources_citing ON sources (statement) WHERE cites IS NOT NULL;

CREATE TABLE former_ids (
    former  INTEGER NOT NULL,
    note    INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    PRIMARY KEY (former, note, ordinal),
    FOREIGN KEY (note, ordinal) REFERENCES sources (note, ordinal) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX former_ids_by_place ON former_ids (note, ordinal);

CREATE TABLE names (
    key     INTEGER NOT NULL,
    role    INTEGER NOT NULL,
    wording INTEGER NOT NULL,
    PRIMARY KEY (key, role, wording)
) STRICT, WITHOUT ROWID;

CREATE TABLE facts (
    topic   TEXT    NOT NULL,
    key     INTEGER NOT NULL,
    wording INTEGER NOT NULL,
    PRIMARY KEY (topic, key, wording)
) STRICT, WITHOUT ROWID;

CREATE TABLE links (
    note       INTEGER NOT NULL,
    ordinal    INTEGER NOT NULL,
    number     INTEGER NOT NULL,
    target     TEXT    NOT NULL,
    shown      TEXT,
    target_key INTEGER NOT NULL,
    shown_key  INTEGER,
    PRIMARY KEY (note, ordinal, number),
    FOREIGN KEY (note, ordinal) REFERENCES sources (note, ordinal) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX links_by_target ON links (target_key, shown_key);

CREATE INDEX links_by_text ON links (shown_key) WHERE shown_key IS NOT NULL;

CREATE TABLE changes (
    statement INTEGER PRIMARY KEY,
    sequence  INTEGER NOT NULL,
    deleted   INTEGER NOT NULL
) STRICT;

CREATE INDEX changes_by_sequence ON changes (sequence);

CREATE TABLE counts (
    band    INTEGER PRIMARY KEY,
    notes   INTEGER NOT NULL,
    sources INTEGER NOT NULL,
    claims  INTEGER NOT NULL
) STRICT;

CREATE TABLE totals (
    only_row   INTEGER PRIMARY KEY CHECK (only_row = 1),
    captured   INTEGER NOT NULL,
    statements INTEGER NOT NULL,
    claims     INTEGER NOT NULL,
    problems   INTEGER NOT NULL
) STRICT;

CREATE TABLE passages (
    note     TEXT PRIMARY KEY,
    passages BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE vector_sets (
    id       INTEGER PRIMARY KEY,
    band     INTEGER NOT NULL,
    embedder TEXT    NOT NULL,
    sequence INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    made     INTEGER NOT NULL,
    UNIQUE (band, embedder)
) STRICT;

CREATE TABLE vectors_due (
    vector_set INTEGER NOT NULL,
    statement  INTEGER NOT NULL,
    PRIMARY KEY (vector_set, statement)
) STRICT, WITHOUT ROWID;

CREATE TABLE vector_codes (
    id         INTEGER PRIMARY KEY,
    vector_set INTEGER NOT NULL,
    statement  INTEGER NOT NULL,
    code       BLOB    NOT NULL
) STRICT;

CREATE UNIQUE INDEX vector_codes_by_statement ON vector_codes (vector_set, statement);

CREATE TABLE token_vectors (
    statement INTEGER NOT NULL,
    band      INTEGER NOT NULL,
    key       BLOB    NOT NULL,
    codes     BLOB    NOT NULL,
    PRIMARY KEY (statement, band)
) STRICT;

CREATE TRIGGER token_vectors_of_new AFTER INSERT ON changes
BEGIN
    DELETE FROM token_vectors WHERE statement = new.statement;
END;

CREATE TRIGGER token_vectors_of_changed AFTER UPDATE ON changes
BEGIN
    DELETE FROM token_vectors WHERE statement = new.statement;
END;

CREATE TABLE passage_vectors (
    note    INTEGER NOT NULL REFERENCES notes (id) ON DELETE CASCADE,
    band    INTEGER NOT NULL,
    network TEXT    NOT NULL,
    places  BLOB    NOT NULL,
    codes   BLOB    NOT NULL,
    PRIMARY KEY (note, band)
) STRICT;

-- journal.db, format 5

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

CREATE TABLE proposals (
    passage   BLOB NOT NULL,
    provider  TEXT NOT NULL,
    model     TEXT NOT NULL,
    version   TEXT NOT NULL,
    proposals TEXT NOT NULL,
    -- Whether the index has taken it in.
    taken     INTEGER NOT NULL DEFAULT 0, stamp INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (passage, provider, model)
) STRICT, WITHOUT ROWID;

CREATE INDEX proposals_not_taken ON proposals (taken) WHERE taken = 0;

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

CREATE TABLE recalls (
    item    TEXT    NOT NULL,
    local   INTEGER NOT NULL,
    session TEXT    NOT NULL,
    day     TEXT    NOT NULL,
    PRIMARY KEY (item, local, session)
) STRICT, WITHOUT ROWID;
