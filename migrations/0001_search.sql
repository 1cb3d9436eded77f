-- Full-text search. What is indexed is derived from the rows, so these tables keep no content of their own: they are keyed by
-- `number`, and a row is taken out by that number alone. Only what can be found is in them: published blogs, verified people.
CREATE VIRTUAL TABLE blog_words USING fts5(title, description, tags, text, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'", prefix='2 3');
--> statement-breakpoint
CREATE VIRTUAL TABLE people_words USING fts5(name, username, bio, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'", prefix='2 3');
--> statement-breakpoint
-- Pieces of three characters: for parts of words in titles and names, and for writing that has no spaces between its words,
-- of which the body is here too. Each field ends in two spaces, so that its last characters begin a piece as well.
CREATE VIRTUAL TABLE blog_pieces USING fts5(title, description, tags, text, content='', contentless_delete=1, tokenize='trigram remove_diacritics 1');
--> statement-breakpoint
CREATE VIRTUAL TABLE people_pieces USING fts5(name, username, bio, content='', contentless_delete=1, tokenize='trigram remove_diacritics 1');
--> statement-breakpoint
-- The pieces there are, so that one or two characters can be looked up as the beginning of a piece.
CREATE VIRTUAL TABLE blog_piece_terms USING fts5vocab(blog_pieces, row);
--> statement-breakpoint
CREATE VIRTUAL TABLE people_piece_terms USING fts5vocab(people_pieces, row);
--> statement-breakpoint
-- Not there to be read: what is inserted here is indexed, and how is said once. They name no table, so that a table may be rebuilt.
CREATE VIEW blog_indexing AS SELECT 0 AS number, '' AS title, '' AS description, '[]' AS tags, '' AS text;
--> statement-breakpoint
-- ß is indexed as ss, which unicode61 does not do; a tag as its words and as one: `web-development` is `webdevelopment` too.
-- The ranges are those of `spaceless` in src/server/search/words.ts: Thai to Burmese, Khmer, Chinese and Japanese, Korean.
CREATE TRIGGER blog_indexing_insert INSTEAD OF INSERT ON blog_indexing BEGIN
  INSERT INTO blog_words (rowid, title, description, tags, text) SELECT
    new.number,
    replace(replace(new.title, 'ß', 'ss'), 'ẞ', 'ss'),
    replace(replace(new.description, 'ß', 'ss'), 'ẞ', 'ss'),
    (SELECT coalesce(group_concat(tag || ' ' || replace(replace(replace(tag, '-', ''), '.', ''), '_', ''), ' '), '')
      FROM (SELECT replace(value, 'ß', 'ss') AS tag FROM json_each(new.tags))),
    replace(replace(new.text, 'ß', 'ss'), 'ẞ', 'ss');
  INSERT INTO blog_pieces (rowid, title, description, tags, text) SELECT
    new.number,
    replace(replace(new.title, 'ß', 'ss'), 'ẞ', 'ss') || '  ',
    replace(replace(new.description, 'ß', 'ss'), 'ẞ', 'ss') || '  ',
    (SELECT coalesce(group_concat(replace(value, 'ß', 'ss'), ' '), '') || '  ' FROM json_each(new.tags)),
    CASE WHEN new.text GLOB '*[' || char(0x0e00, 45, 0x109f, 0x1780, 45, 0x17ff, 0x3005, 45, 0x9fff, 0xac00, 45, 0xd7af, 0xf900, 45, 0xfaff, 0xff66, 45, 0xff9f, 0x20000, 45, 0x3ffff) || ']*'
      THEN replace(replace(new.text, 'ß', 'ss'), 'ẞ', 'ss') || '  ' ELSE '' END;
END;
--> statement-breakpoint
CREATE VIEW people_indexing AS SELECT 0 AS number, '' AS name, '' AS username, '' AS bio;
--> statement-breakpoint
CREATE TRIGGER people_indexing_insert INSTEAD OF INSERT ON people_indexing BEGIN
  INSERT INTO people_words (rowid, name, username, bio) SELECT
    new.number,
    replace(replace(new.name, 'ß', 'ss'), 'ẞ', 'ss'),
    new.username,
    replace(replace(new.bio, 'ß', 'ss'), 'ẞ', 'ss');
  INSERT INTO people_pieces (rowid, name, username, bio) SELECT
    new.number,
    replace(replace(new.name, 'ß', 'ss'), 'ẞ', 'ss') || '  ',
    new.username || '  ',
    CASE WHEN new.bio GLOB '*[' || char(0x0e00, 45, 0x109f, 0x1780, 45, 0x17ff, 0x3005, 45, 0x9fff, 0xac00, 45, 0xd7af, 0xf900, 45, 0xfaff, 0xff66, 45, 0xff9f, 0x20000, 45, 0x3ffff) || ']*'
      THEN replace(replace(new.bio, 'ß', 'ss'), 'ẞ', 'ss') || '  ' ELSE '' END;
END;
--> statement-breakpoint
CREATE TRIGGER blogs_search_insert AFTER INSERT ON blogs WHEN new.draft = 0 BEGIN
  INSERT INTO blog_indexing VALUES (new.number, new.title, new.description, new.tags, new.text);
END;
--> statement-breakpoint
CREATE TRIGGER blogs_search_delete AFTER DELETE ON blogs WHEN old.draft = 0 BEGIN
  DELETE FROM blog_words WHERE rowid = old.number;
  DELETE FROM blog_pieces WHERE rowid = old.number;
END;
--> statement-breakpoint
-- Likes and counts change a blog's row too: nothing is indexed anew for them, nor for what is saved as it was.
CREATE TRIGGER blogs_search_update AFTER UPDATE OF title, description, tags, text, draft ON blogs
WHEN (old.title, old.description, old.tags, old.text, old.draft) IS NOT (new.title, new.description, new.tags, new.text, new.draft) BEGIN
  DELETE FROM blog_words WHERE old.draft = 0 AND rowid = old.number;
  DELETE FROM blog_pieces WHERE old.draft = 0 AND rowid = old.number;
  INSERT INTO blog_indexing SELECT new.number, new.title, new.description, new.tags, new.text WHERE new.draft = 0;
END;
--> statement-breakpoint
CREATE TRIGGER users_search_insert AFTER INSERT ON users WHEN new.verified_at IS NOT NULL BEGIN
  INSERT INTO people_indexing VALUES (new.number, new.name, new.username, new.bio);
END;
--> statement-breakpoint
CREATE TRIGGER users_search_delete AFTER DELETE ON users WHEN old.verified_at IS NOT NULL BEGIN
  DELETE FROM people_words WHERE rowid = old.number;
  DELETE FROM people_pieces WHERE rowid = old.number;
END;
--> statement-breakpoint
CREATE TRIGGER users_search_update AFTER UPDATE OF name, username, bio, verified_at ON users
WHEN (old.name, old.username, old.bio, old.verified_at IS NULL) IS NOT (new.name, new.username, new.bio, new.verified_at IS NULL) BEGIN
  DELETE FROM people_words WHERE old.verified_at IS NOT NULL AND rowid = old.number;
  DELETE FROM people_pieces WHERE old.verified_at IS NOT NULL AND rowid = old.number;
  INSERT INTO people_indexing SELECT new.number, new.name, new.username, new.bio WHERE new.verified_at IS NOT NULL;
END;
--> statement-breakpoint
INSERT INTO blog_indexing SELECT number, title, description, tags, text FROM blogs WHERE draft = 0;
--> statement-breakpoint
INSERT INTO people_indexing SELECT number, name, username, bio FROM users WHERE verified_at IS NOT NULL;
