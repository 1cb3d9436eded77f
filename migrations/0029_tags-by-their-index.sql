CREATE TABLE `blog_tags` (
	`number` integer NOT NULL,
	`tag` text NOT NULL,
	`author_id` text NOT NULL,
	`open` integer NOT NULL,
	`likes_count` integer NOT NULL,
	`published_at` integer NOT NULL,
	PRIMARY KEY(`number`, `tag`),
	FOREIGN KEY (`number`) REFERENCES `blogs`(`number`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `blog_tags_latest` ON `blog_tags` (`tag`,`published_at`,`number`,`open`,`author_id`);--> statement-breakpoint
CREATE INDEX `blog_tags_liked` ON `blog_tags` (`tag`,`likes_count`,`published_at`,`number`,`open`,`author_id`);--> statement-breakpoint
ALTER TABLE `users` ADD `feed_renewals` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
INSERT INTO blog_tags (number, tag, author_id, open, likes_count, published_at)
SELECT DISTINCT b.number, t.value, b.author_id, b.open, b.likes_count, b.published_at
FROM blogs b, json_each(b.tags) t WHERE b.draft = 0 AND t.type = 'text';
--> statement-breakpoint
-- They are read from the row as it is by then: another trigger may have marked it meanwhile (migration 0008).
CREATE TRIGGER blog_tags_insert AFTER INSERT ON blogs WHEN new.draft = 0 BEGIN
  INSERT INTO blog_tags (number, tag, author_id, open, likes_count, published_at)
  SELECT DISTINCT b.number, t.value, b.author_id, b.open, b.likes_count, b.published_at
  FROM blogs b, json_each(b.tags) t WHERE b.number = new.number AND t.type = 'text';
END;
--> statement-breakpoint
CREATE TRIGGER blog_tags_update AFTER UPDATE OF tags, draft ON blogs WHEN (old.tags, old.draft) IS NOT (new.tags, new.draft) BEGIN
  DELETE FROM blog_tags WHERE number = new.number;
  INSERT INTO blog_tags (number, tag, author_id, open, likes_count, published_at)
  SELECT DISTINCT b.number, t.value, b.author_id, b.open, b.likes_count, b.published_at
  FROM blogs b, json_each(b.tags) t WHERE b.number = new.number AND b.draft = 0 AND t.type = 'text';
END;
--> statement-breakpoint
CREATE TRIGGER blog_tags_ranked AFTER UPDATE OF open, likes_count, published_at ON blogs
WHEN (old.open, old.likes_count, old.published_at) IS NOT (new.open, new.likes_count, new.published_at) BEGIN
  UPDATE blog_tags SET (open, likes_count, published_at) = (SELECT open, likes_count, published_at FROM blogs WHERE number = new.number)
  WHERE number = new.number;
END;
