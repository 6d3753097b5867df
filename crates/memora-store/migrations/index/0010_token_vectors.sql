-- What the transformer made of a statement, as it is seen in one band: its pieces' codes, and a hash of the very text and
-- network that they are of. What the log of changes names leaves at once, in the same transaction.
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
