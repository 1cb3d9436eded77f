CREATE TABLE `entries` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`blog_id` text NOT NULL,
	`author_id` text,
	`at` integer NOT NULL,
	`title` text NOT NULL,
	`is_key` integer NOT NULL,
	`excerpt` text NOT NULL,
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
DELETE FROM `jobs` WHERE `name` IN ('draft.live', 'draft.live-end');
