CREATE TABLE `blog_watches` (
	`user_id` text NOT NULL,
	`blog_id` text NOT NULL,
	`way` text NOT NULL,
	PRIMARY KEY(`user_id`, `blog_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`blog_id`) REFERENCES `blogs`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `blog_watches_blog` ON `blog_watches` (`blog_id`,`way`,`user_id`);--> statement-breakpoint
CREATE TABLE `notice_letters` (
	`user_id` text NOT NULL,
	`way` text NOT NULL,
	`since` integer,
	`due_at` integer,
	`sent_at` integer,
	PRIMARY KEY(`user_id`, `way`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `notice_settings` (
	`user_id` text NOT NULL,
	`topic` text NOT NULL,
	`page` integer NOT NULL,
	`push` integer NOT NULL,
	`mail` text NOT NULL,
	PRIMARY KEY(`user_id`, `topic`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE `notifications` ADD `seen_to` integer;--> statement-breakpoint
CREATE INDEX `notifications_age` ON `notifications` (`created_at`);