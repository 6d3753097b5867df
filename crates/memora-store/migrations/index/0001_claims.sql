-- The index: what follows from the vault alone. Disposable.

-- One row. `pruned` is the last sequence that `changes` no longer reaches behind.
CREATE TABLE state (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    uuid     TEXT    NOT NULL,
    sequence INTEGER NOT NULL,
    pruned   INTEGER NOT NULL,
    rules    TEXT
) STRICT;

-- SQLite seeds randomblob() from the system's randomness.
INSERT INTO state VALUES (1, lower(hex(randomblob(16))), 0, 0, NULL);

-- Whatever the caller wants to remember of the index.
CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- aliases, tags and outline are JSON arrays of strings; properties an array of [key, value].
-- first_day and last_day bound the date, as yyyymmdd.
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

-- What filters look up, in lower case; a nested tag stands under each of its prefixes.
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

-- A statement's words, form and claims as drawn at one or several places. Nearly every statement has one wording; a
-- second one appears where the place has a say in the reading (a daily note's date, a captured note, an item here and
-- a sentence there). `statement` is the 60 bits of the id. `digest` is over everything in the wording.
CREATE TABLE wordings (
    id        INTEGER PRIMARY KEY,
    statement INTEGER NOT NULL,
    digest    BLOB    NOT NULL,
    kind      TEXT    NOT NULL,
    words     TEXT    NOT NULL,
    UNIQUE (statement, digest)
) STRICT;

-- `reading` is the two characters behind the point of a claim's id.
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
    valid_until TEXT,
    PRIMARY KEY (wording, ordinal)
) STRICT, WITHOUT ROWID;

-- Where statements stand. `before` is the ordinal, in the same note, of the statement in front.
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
    before      INTEGER,
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

-- Files that were not read, and why.
CREATE TABLE skipped (
    path   TEXT PRIMARY KEY,
    reason TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The last commit that changed a statement, for derived indexes to catch up.
CREATE TABLE changes (
    statement INTEGER PRIMARY KEY,
    sequence  INTEGER NOT NULL,
    deleted   INTEGER NOT NULL
) STRICT;
CREATE INDEX changes_by_sequence ON changes (sequence);
