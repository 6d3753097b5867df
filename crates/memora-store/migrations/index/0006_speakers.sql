-- Who says a line of a conversation. Notes are read again, which fills it.
ALTER TABLE sources ADD COLUMN speaker TEXT;

-- A vector has a share of all that stands around its statement, and no longer of the sentence before alone.
DELETE FROM vectors_due;
DELETE FROM vector_codes;
DELETE FROM vectors;
DELETE FROM vector_sets;
