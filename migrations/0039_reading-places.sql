CREATE TABLE `reading_places` (
	`user_id` text NOT NULL,
	`blog_id` text NOT NULL,
	`block` integer NOT NULL,
	`words` integer NOT NULL,
	`part` integer NOT NULL,
	`left_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `blog_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`blog_id`) REFERENCES `blogs`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `reading_places_blog` ON `reading_places` (`blog_id`);--> statement-breakpoint
CREATE INDEX `reading_places_time` ON `reading_places` (`user_id`,`left_at`,`blog_id`);