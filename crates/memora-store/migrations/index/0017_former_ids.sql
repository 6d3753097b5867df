-- Ids of the pieces that a statement was cut into before code and link texts were kept whole, at a place of it.
CREATE TABLE former_ids (
    former  INTEGER NOT NULL,
    note    INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    PRIMARY KEY (former, note, ordinal),
    FOREIGN KEY (note, ordinal) REFERENCES sources (note, ordinal) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX former_ids_by_place ON former_ids (note, ordinal);
