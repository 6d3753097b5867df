-- Vectors of passages: runs of statements of a note under the same headings, as one band shows them. A row for each band whose text
-- differs from that of the band below, and one for the public text in any case. They leave with what they are of.
CREATE TABLE passage_vectors (
    note    INTEGER NOT NULL REFERENCES notes (id) ON DELETE CASCADE,
    band    INTEGER NOT NULL,
    network TEXT    NOT NULL,
    places  BLOB    NOT NULL,
    codes   BLOB    NOT NULL,
    PRIMARY KEY (note, band)
) STRICT;
