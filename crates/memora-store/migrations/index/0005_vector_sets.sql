-- Vectors of statements, in sets: one for each band and embedder, so that a set is there while another is made. Derived, so
-- what the former format had is not carried over.
DROP TABLE vector_state;
DROP TABLE vector_codes;
DROP TABLE vectors;

-- What made a set, and which commit it has followed. `revision` is another after every batch. `made` is 1 as soon as
-- every statement of the band once had its vector.
CREATE TABLE vector_sets (
    id       INTEGER PRIMARY KEY,
    band     INTEGER NOT NULL,
    embedder TEXT    NOT NULL,
    sequence INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    made     INTEGER NOT NULL,
    UNIQUE (band, embedder)
) STRICT;

-- Statements whose vectors are still to be made.
CREATE TABLE vectors_due (
    vector_set INTEGER NOT NULL,
    statement  INTEGER NOT NULL,
    PRIMARY KEY (vector_set, statement)
) STRICT, WITHOUT ROWID;

-- One signed byte a dimension: what a scan reads.
CREATE TABLE vector_codes (
    vector_set INTEGER NOT NULL,
    statement  INTEGER NOT NULL,
    code       BLOB    NOT NULL,
    PRIMARY KEY (vector_set, statement)
) STRICT, WITHOUT ROWID;

-- 16-bit floats, little endian: what the best of a scan are scored by. With a rowid, since rows of this size would spill
-- out of the pages of an index.
CREATE TABLE vectors (
    vector_set INTEGER NOT NULL,
    statement  INTEGER NOT NULL,
    vector     BLOB    NOT NULL,
    PRIMARY KEY (vector_set, statement)
) STRICT;
