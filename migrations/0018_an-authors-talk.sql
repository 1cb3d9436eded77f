CREATE TABLE `held_comments` (
	`id` text PRIMARY KEY NOT NULL,
	`blog_id` text NOT NULL,
	`parent_id` text,
	`author_id` text NOT NULL,
	`text` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`blog_id`) REFERENCES `blogs`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`parent_id`) REFERENCES `comments`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `held_comments_blog` ON `held_comments` (`blog_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `held_comments_author` ON `held_comments` (`author_id`,`blog_id`);--> statement-breakpoint
CREATE INDEX `held_comments_parent` ON `held_comments` (`parent_id`);--> statement-breakpoint
ALTER TABLE `comments` ADD `mark` text;--> statement-breakpoint
CREATE UNIQUE INDEX `comments_pinned` ON `comments` (`blog_id`) WHERE mark = 'pinned';