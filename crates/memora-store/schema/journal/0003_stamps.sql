-- A number that no other row has, so that whoever saw a row can tell it from one that took its place.
ALTER TABLE proposals ADD COLUMN stamp INTEGER NOT NULL DEFAULT 0;
