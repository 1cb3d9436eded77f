CREATE TABLE `writing_commits` (
	`blog_id` text NOT NULL,
	`seq` integer NOT NULL,
	`client` text NOT NULL,
	`number` integer NOT NULL,
	`author_id` text,
	`steps` text NOT NULL,
	`fields` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`blog_id`, `seq`),
	FOREIGN KEY (`blog_id`) REFERENCES `writings`(`blog_id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `writing_commits_client` ON `writing_commits` (`blog_id`,`client`,`number`);--> statement-breakpoint
CREATE INDEX `writing_commits_author` ON `writing_commits` (`author_id`);--> statement-breakpoint
CREATE INDEX `writing_commits_old` ON `writing_commits` (`created_at`);--> statement-breakpoint
CREATE TABLE `writing_media` (
	`blog_id` text NOT NULL,
	`media_id` text NOT NULL,
	PRIMARY KEY(`blog_id`, `media_id`),
	FOREIGN KEY (`blog_id`) REFERENCES `writings`(`blog_id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`media_id`) REFERENCES `media`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `writing_media_media` ON `writing_media` (`media_id`);--> statement-breakpoint
CREATE TABLE `writings` (
	`blog_id` text PRIMARY KEY NOT NULL,
	`seq` integer NOT NULL,
	`head` text NOT NULL,
	`fields` text NOT NULL,
	`document` text NOT NULL,
	`document_seq` integer NOT NULL,
	`saved_seq` integer NOT NULL,
	`named_for` text,
	`changed_at` integer NOT NULL,
	`begun_by` text,
	FOREIGN KEY (`blog_id`) REFERENCES `blogs`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`begun_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `writings_begun` ON `writings` (`begun_by`,`changed_at`) WHERE begun_by is not null;