-- Texts are indexed as `fold` in src/shared/fold.ts has them; `folded` is that function, which src/server/database/sqlite.ts adds to each
-- connection. All that is published is indexed again.
-- The sign that people write before a tag is not part of it (src/shared/tags.ts), nor of an interest.
UPDATE blogs SET tags = (SELECT json_group_array(tag) FROM (SELECT ltrim(value, '#＃') AS tag, min(key) AS place
    FROM json_each(blogs.tags) WHERE ltrim(value, '#＃') <> '' GROUP BY tag ORDER BY place))
  WHERE tags LIKE '%"#%' OR tags LIKE '%"＃%';
--> statement-breakpoint
UPDATE users SET interests = (SELECT json_group_array(interest) FROM (SELECT ltrim(value, '#＃ ') AS interest, min(key) AS place
    FROM json_each(users.interests) WHERE ltrim(value, '#＃ ') <> '' GROUP BY interest ORDER BY place))
  WHERE interests LIKE '%"#%' OR interests LIKE '%"＃%';
--> statement-breakpoint
DROP TRIGGER blog_indexing_insert;
--> statement-breakpoint
DROP TRIGGER people_indexing_insert;
--> statement-breakpoint
-- A tag is indexed as its words and as one: `web-development` is `webdevelopment` too.
-- The ranges are those of `spaceless` in src/server/search/words.ts: Thai to Burmese, Khmer, Chinese and Japanese, Korean.
CREATE TRIGGER blog_indexing_insert INSTEAD OF INSERT ON blog_indexing BEGIN
  INSERT INTO blog_words (rowid, title, description, tags, text) SELECT
    new.number,
    folded(new.title),
    folded(new.description),
    (SELECT coalesce(group_concat(tag || ' ' || replace(replace(replace(tag, '-', ''), '.', ''), '_', ''), ' '), '')
      FROM (SELECT folded(value) AS tag FROM json_each(new.tags))),
    folded(new.text);
  INSERT INTO blog_pieces (rowid, title, description, tags, text) SELECT
    new.number,
    folded(new.title) || '  ',
    folded(new.description) || '  ',
    (SELECT coalesce(group_concat(folded(value), ' '), '') || '  ' FROM json_each(new.tags)),
    CASE WHEN new.text GLOB '*[' || char(0x0e00, 45, 0x109f, 0x1780, 45, 0x17ff, 0x3005, 45, 0x9fff, 0xac00, 45, 0xd7af, 0xf900, 45, 0xfaff, 0xff66, 45, 0xff9f, 0x20000, 45, 0x3ffff) || ']*'
      THEN folded(new.text) || '  ' ELSE '' END;
END;
--> statement-breakpoint
CREATE TRIGGER people_indexing_insert INSTEAD OF INSERT ON people_indexing BEGIN
  INSERT INTO people_words (rowid, name, username, bio) SELECT
    new.number,
    folded(new.name),
    new.username,
    folded(new.bio);
  INSERT INTO people_pieces (rowid, name, username, bio) SELECT
    new.number,
    folded(new.name) || '  ',
    new.username || '  ',
    CASE WHEN new.bio GLOB '*[' || char(0x0e00, 45, 0x109f, 0x1780, 45, 0x17ff, 0x3005, 45, 0x9fff, 0xac00, 45, 0xd7af, 0xf900, 45, 0xfaff, 0xff66, 45, 0xff9f, 0x20000, 45, 0x3ffff) || ']*'
      THEN folded(new.bio) || '  ' ELSE '' END;
END;
--> statement-breakpoint
INSERT INTO blog_words (blog_words) VALUES ('delete-all');
--> statement-breakpoint
INSERT INTO blog_pieces (blog_pieces) VALUES ('delete-all');
--> statement-breakpoint
INSERT INTO people_words (people_words) VALUES ('delete-all');
--> statement-breakpoint
INSERT INTO people_pieces (people_pieces) VALUES ('delete-all');
--> statement-breakpoint
INSERT INTO blog_indexing SELECT number, title, description, tags, text FROM blogs WHERE draft = 0;
--> statement-breakpoint
INSERT INTO people_indexing SELECT number, name, username, bio FROM users WHERE verified_at IS NOT NULL;
