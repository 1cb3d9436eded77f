CREATE TABLE `entries` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`blog_id` text NOT NULL,
	`author_id` text,
	`at` integer NOT NULL,
	`title` text NOT NULL,
	`is_key` integer NOT NULL,
	`text` text NOT NULL,
	`likes_count` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`edited_at` integer,
	`withdrawn_at` integer,
	`document` text NOT NULL,
	`html` text NOT NULL,
	FOREIGN KEY (`blog_id`) REFERENCES `blogs`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `entries_id_unique` ON `entries` (`id`);--> statement-breakpoint
CREATE INDEX `entries_shown` ON `entries` (`blog_id`,`withdrawn_at`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `entries_key` ON `entries` (`blog_id`,`withdrawn_at`,`at`,`id`) WHERE is_key = 1;--> statement-breakpoint
CREATE INDEX `entries_author` ON `entries` (`author_id`);--> statement-breakpoint
CREATE TABLE `entry_likes` (
	`entry_id` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`entry_id`, `user_id`),
	FOREIGN KEY (`entry_id`) REFERENCES `entries`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `entry_likes_user` ON `entry_likes` (`user_id`,`entry_id`);--> statement-breakpoint
CREATE TABLE `entry_media` (
	`entry_id` text NOT NULL,
	`media_id` text NOT NULL,
	PRIMARY KEY(`entry_id`, `media_id`),
	FOREIGN KEY (`entry_id`) REFERENCES `entries`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`media_id`) REFERENCES `media`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `entry_media_media` ON `entry_media` (`media_id`);--> statement-breakpoint
ALTER TABLE `blogs` ADD `live_ended` integer;--> statement-breakpoint
ALTER TABLE `blogs` ADD `summary` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `blogs` ADD `embeddable` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `blogs_on_air` ON `blogs` (`live_since`,`id`) WHERE live_since is not null and live_ended is null and draft = 0;--> statement-breakpoint
-- Blogs that were written live before there were live blogs.
UPDATE `blogs` SET `live_since` = NULL WHERE `live_since` IS NOT NULL;--> statement-breakpoint
DELETE FROM `jobs` WHERE `name` IN ('draft.live', 'draft.live-end');--> statement-breakpoint
-- Entries are in the index of blogs, with numbers far below those of blogs, so that searches come to them last. A withdrawn one is not.
CREATE TRIGGER entries_search_insert AFTER INSERT ON entries WHEN new.withdrawn_at IS NULL BEGIN
  INSERT INTO blog_indexing VALUES (new.seq - 1099511627776, new.title, '', '[]', new.text);
END;
--> statement-breakpoint
CREATE TRIGGER entries_search_delete AFTER DELETE ON entries WHEN old.withdrawn_at IS NULL BEGIN
  DELETE FROM blog_words WHERE rowid = old.seq - 1099511627776;
  DELETE FROM blog_pieces WHERE rowid = old.seq - 1099511627776;
END;
--> statement-breakpoint
-- Likes change an entry's row, too, and index nothing.
CREATE TRIGGER entries_search_update AFTER UPDATE OF title, text, withdrawn_at ON entries
WHEN (old.title, old.text, old.withdrawn_at IS NULL) IS NOT (new.title, new.text, new.withdrawn_at IS NULL) BEGIN
  DELETE FROM blog_words WHERE old.withdrawn_at IS NULL AND rowid = old.seq - 1099511627776;
  DELETE FROM blog_pieces WHERE old.withdrawn_at IS NULL AND rowid = old.seq - 1099511627776;
  INSERT INTO blog_indexing SELECT new.seq - 1099511627776, new.title, '', '[]', new.text WHERE new.withdrawn_at IS NULL;
END;
