CREATE TABLE `revision_media` (
	`revision_id` text NOT NULL,
	`media_id` text NOT NULL,
	PRIMARY KEY(`revision_id`, `media_id`),
	FOREIGN KEY (`revision_id`) REFERENCES `revisions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`media_id`) REFERENCES `media`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `revision_media_media` ON `revision_media` (`media_id`);--> statement-breakpoint
CREATE TABLE `revisions` (
	`id` text PRIMARY KEY NOT NULL,
	`blog_id` text NOT NULL,
	`author_id` text,
	`why` text NOT NULL,
	`title` text NOT NULL,
	`description` text NOT NULL,
	`tags` text NOT NULL,
	`cover_id` text,
	`words` integer NOT NULL,
	`draft` integer NOT NULL,
	`created_at` integer NOT NULL,
	`restored_from` text,
	`document` text NOT NULL,
	FOREIGN KEY (`blog_id`) REFERENCES `blogs`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`cover_id`) REFERENCES `media`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `revisions_blog` ON `revisions` (`blog_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `revisions_age` ON `revisions` (`created_at`,`blog_id`);--> statement-breakpoint
CREATE INDEX `revisions_author` ON `revisions` (`author_id`);--> statement-breakpoint
CREATE INDEX `revisions_cover` ON `revisions` (`cover_id`);