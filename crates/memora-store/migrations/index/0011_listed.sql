-- Whether a reading is worth being asked about later; the others are facts that names and changes are told by.
ALTER TABLE claims ADD COLUMN listed INTEGER NOT NULL DEFAULT 0;
