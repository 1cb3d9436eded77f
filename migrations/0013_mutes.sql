CREATE TABLE `mutes` (
	`owner_id` text NOT NULL,
	`muted_id` text NOT NULL,
	`muted_at` integer NOT NULL,
	PRIMARY KEY(`owner_id`, `muted_id`),
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`muted_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "mutes_others" CHECK(owner_id <> muted_id)
);
--> statement-breakpoint
CREATE INDEX `mutes_muted` ON `mutes` (`muted_id`);--> statement-breakpoint
CREATE INDEX `mutes_newest` ON `mutes` (`owner_id`,`muted_at`,`muted_id`);--> statement-breakpoint
ALTER TABLE `users` ADD `muted_words` text DEFAULT '[]' NOT NULL;