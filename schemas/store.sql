-- index.db, format 12

CREATE TABLE state (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    uuid     TEXT    NOT NULL,
    sequence INTEGER NOT NULL,
    pruned   INTEGER NOT NULL,
    rules    TEXT
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
    title      TEXT    NOT NULL,
    subject    TEXT    NOT NULL,
    date       TEXT,
    first_day  INTEGER,
    last_day   INTEGER,
    band       INTEGER NOT NULL,
    captured   INTEGER NOT NULL,
    aliases    TEXT    NOT NULL,
    tags       TEXT    NOT NULL,
    properties TEXT    NOT NULL,
    outline    TEXT    NOT NULL
) STRICT;

CREATE INDEX notes_by_day ON notes (first_day, last_day) WHERE first_day IS NOT NULL;

CREATE TABLE note_tags (
    tag  TEXT    NOT NULL,
    note INTEGER NOT NULL REFERENCES notes (id) ON DELETE CASCADE,
    PRIMARY KEY (tag, note)
) STRICT, WITHOUT ROWID;

CREATE INDEX note_tags_by_note ON note_tags (note);

CREATE TABLE note_properties (
    key   TEXT    NOT NULL,
    value TEXT    NOT NULL,
    note  INTEGER NOT NULL REFERENCES notes (id) ON DELETE CASCADE,
    PRIMARY KEY (key, value, note)
) STRICT, WITHOUT ROWID;

CREATE INDEX note_properties_by_note ON note_properties (note);

CREATE TABLE wordings (
    id        INTEGER PRIMARY KEY,
    statement INTEGER NOT NULL,
    digest    BLOB    NOT NULL,
    kind      TEXT    NOT NULL,
    words     TEXT    NOT NULL,
    UNIQUE (statement, digest)
) STRICT;

CREATE TABLE claims (
    wording     INTEGER NOT NULL REFERENCES wordings (id) ON DELETE CASCADE,
    ordinal     INTEGER NOT NULL,
    reading     TEXT    NOT NULL,
    subject     TEXT,
    predicate   TEXT    NOT NULL,
    object      TEXT    NOT NULL,
    modality    TEXT    NOT NULL,
    confidence  REAL    NOT NULL,
    extractor   TEXT    NOT NULL,
    valid_from  TEXT,
    valid_until TEXT, qualifiers  TEXT    NOT NULL DEFAULT '[]', relation    TEXT, negated     INTEGER NOT NULL DEFAULT 0, attribution TEXT, phase       TEXT    NOT NULL DEFAULT 'steady', listed INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (wording, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE sources (
    note        INTEGER NOT NULL REFERENCES notes (id) ON DELETE CASCADE,
    ordinal     INTEGER NOT NULL,
    statement   INTEGER NOT NULL,
    wording     INTEGER NOT NULL REFERENCES wordings (id),
    start_byte  INTEGER NOT NULL,
    end_byte    INTEGER NOT NULL,
    line        INTEGER NOT NULL,
    fingerprint BLOB    NOT NULL,
    band        INTEGER NOT NULL,
    zone        TEXT    NOT NULL,
    headings    TEXT    NOT NULL,
    parent      TEXT,
    block_id    TEXT,
    before      INTEGER, block INTEGER NOT NULL DEFAULT 0, within INTEGER, speaker TEXT, cites TEXT NOT NULL DEFAULT '[]',
    PRIMARY KEY (note, ordinal)
) STRICT, WITHOUT ROWID;

CREATE INDEX sources_by_statement ON sources (statement);

CREATE INDEX sources_by_wording ON sources (wording);

CREATE TABLE problems (
    note    INTEGER NOT NULL REFERENCES notes (id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    line    INTEGER NOT NULL,
    kind    TEXT    NOT NULL,
    PRIMARY KEY (note, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE skipped (
    path   TEXT PRIMARY KEY,
    reason TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE changes (
    statement INTEGER PRIMARY KEY,
    sequence  INTEGER NOT NULL,
    deleted   INTEGER NOT NULL
) STRICT;

CREATE INDEX changes_by_sequence ON changes (sequence);

CREATE TABLE names (
    key     TEXT    NOT NULL,
    role    INTEGER NOT NULL,
    wording INTEGER NOT NULL REFERENCES wordings (id) ON DELETE CASCADE,
    PRIMARY KEY (key, role, wording)
) STRICT, WITHOUT ROWID;

CREATE INDEX names_by_wording ON names (wording);

CREATE TABLE links (
    note       INTEGER NOT NULL,
    ordinal    INTEGER NOT NULL,
    number     INTEGER NOT NULL,
    target     TEXT    NOT NULL,
    target_key TEXT    NOT NULL,
    shown      TEXT    NOT NULL,
    shown_key  TEXT,
    PRIMARY KEY (note, ordinal, number),
    FOREIGN KEY (note, ordinal) REFERENCES sources (note, ordinal) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX links_by_target ON links (target_key);

CREATE INDEX links_by_text ON links (shown_key) WHERE shown_key IS NOT NULL;

CREATE INDEX claims_by_relation ON claims (relation) WHERE relation IS NOT NULL;

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
    vector_set INTEGER NOT NULL,
    statement  INTEGER NOT NULL,
    code       BLOB    NOT NULL,
    PRIMARY KEY (vector_set, statement)
) STRICT, WITHOUT ROWID;

CREATE TABLE vectors (
    vector_set INTEGER NOT NULL,
    statement  INTEGER NOT NULL,
    vector     BLOB    NOT NULL,
    PRIMARY KEY (vector_set, statement)
) STRICT;

CREATE TABLE passages (
    note     TEXT PRIMARY KEY,
    passages BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE facts (
    key     TEXT    NOT NULL,
    topic   TEXT    NOT NULL,
    wording INTEGER NOT NULL REFERENCES wordings (id) ON DELETE CASCADE,
    PRIMARY KEY (key, topic, wording)
) STRICT, WITHOUT ROWID;

CREATE INDEX facts_by_wording ON facts (wording);

CREATE INDEX facts_by_topic ON facts (topic);

CREATE INDEX links_by_target_text ON links (target_key, shown_key) WHERE shown_key IS NOT NULL;

CREATE INDEX sources_citing ON sources (statement) WHERE cites <> '[]';

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

CREATE TABLE counts (
    band   INTEGER PRIMARY KEY,
    notes  INTEGER NOT NULL,
    claims INTEGER NOT NULL
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
