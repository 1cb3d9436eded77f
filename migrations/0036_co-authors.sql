CREATE TABLE `blog_authors` (
	`blog_id` text NOT NULL,
	`user_id` text NOT NULL,
	`invited_at` integer NOT NULL,
	`accepted_at` integer,
	`draft` integer DEFAULT true NOT NULL,
	`private` integer DEFAULT false NOT NULL,
	`open` integer DEFAULT false NOT NULL,
	`published_at` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`blog_id`, `user_id`),
	FOREIGN KEY (`blog_id`) REFERENCES `blogs`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `blog_authors_joined` ON `blog_authors` (`blog_id`,`accepted_at`,`user_id`) WHERE accepted_at is not null;--> statement-breakpoint
CREATE INDEX `blog_authors_written` ON `blog_authors` (`user_id`,`published_at`,`blog_id`,`draft`,`private`) WHERE accepted_at is not null;--> statement-breakpoint
CREATE INDEX `blog_authors_invited` ON `blog_authors` (`user_id`,`invited_at`,`blog_id`) WHERE accepted_at is null;--> statement-breakpoint
ALTER TABLE `users` ADD `shared_blogs` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
-- What a co-author's lists are counted off by is kept by whatever changes it, as long as they write the blog.
CREATE TRIGGER blog_authors_accepted AFTER UPDATE OF accepted_at ON blog_authors WHEN old.accepted_at IS NULL AND new.accepted_at IS NOT NULL BEGIN
  UPDATE blog_authors SET (draft, private, open, published_at) = (SELECT draft, private, open, published_at FROM blogs WHERE id = new.blog_id)
  WHERE blog_id = new.blog_id AND user_id = new.user_id;
END;
--> statement-breakpoint
CREATE TRIGGER blog_authors_inserted AFTER INSERT ON blog_authors WHEN new.accepted_at IS NOT NULL BEGIN
  UPDATE blog_authors SET (draft, private, open, published_at) = (SELECT draft, private, open, published_at FROM blogs WHERE id = new.blog_id)
  WHERE blog_id = new.blog_id AND user_id = new.user_id;
END;
--> statement-breakpoint
CREATE TRIGGER blog_authors_marked AFTER UPDATE OF draft, private, open, published_at ON blogs
WHEN (old.draft, old.private, old.open, old.published_at) IS NOT (new.draft, new.private, new.open, new.published_at) BEGIN
  UPDATE blog_authors SET (draft, private, open, published_at) = (SELECT draft, private, open, published_at FROM blogs WHERE number = new.number)
  WHERE blog_id = new.id AND accepted_at IS NOT NULL;
END;
--> statement-breakpoint
CREATE TRIGGER blog_authors_counted AFTER UPDATE OF open ON blog_authors WHEN old.open <> new.open BEGIN
  UPDATE users SET shared_blogs = shared_blogs + new.open - old.open WHERE id = new.user_id;
END;
--> statement-breakpoint
CREATE TRIGGER blog_authors_counted_delete AFTER DELETE ON blog_authors WHEN old.open = 1 BEGIN
  UPDATE users SET shared_blogs = shared_blogs - 1 WHERE id = old.user_id;
END;
