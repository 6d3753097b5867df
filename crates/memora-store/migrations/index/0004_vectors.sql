-- Vectors of statements, apart for each band: derived from the words and context that are seen there.

-- What made a band's vectors, and which commit they have followed.
CREATE TABLE vector_state (
    band     INTEGER PRIMARY KEY,
    embedder TEXT    NOT NULL,
    sequence INTEGER NOT NULL
) STRICT;

-- One signed byte a dimension: what a scan reads.
CREATE TABLE vector_codes (
    band      INTEGER NOT NULL,
    statement INTEGER NOT NULL,
    code      BLOB    NOT NULL,
    PRIMARY KEY (band, statement)
) STRICT, WITHOUT ROWID;

-- 32-bit floats, little endian: what the best of a scan are scored by. With a rowid, since a row of a kilobyte would spill
-- out of a page of an index.
CREATE TABLE vectors (
    band      INTEGER NOT NULL,
    statement INTEGER NOT NULL,
    vector    BLOB    NOT NULL,
    PRIMARY KEY (band, statement)
) STRICT;
