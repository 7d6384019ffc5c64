-- The store's one row of settings.
INSERT INTO settings DEFAULT VALUES;
