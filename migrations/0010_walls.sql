CREATE TABLE `walls` (
	`viewer_id` text NOT NULL,
	`other_id` text NOT NULL,
	`blocked_at` integer,
	PRIMARY KEY(`viewer_id`, `other_id`),
	FOREIGN KEY (`viewer_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`other_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "walls_others" CHECK(viewer_id <> other_id)
);
--> statement-breakpoint
CREATE INDEX `walls_other` ON `walls` (`other_id`);--> statement-breakpoint
CREATE INDEX `walls_blocked` ON `walls` (`viewer_id`,`blocked_at`,`other_id`) WHERE blocked_at is not null;