CREATE TABLE `rejected_requests` (
	`requester_id` text NOT NULL,
	`owner_id` text NOT NULL,
	`asked_at` integer NOT NULL,
	`rejected_at` integer NOT NULL,
	PRIMARY KEY(`requester_id`, `owner_id`),
	FOREIGN KEY (`requester_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `rejected_requests_owner` ON `rejected_requests` (`owner_id`);--> statement-breakpoint
CREATE INDEX `rejected_requests_time` ON `rejected_requests` (`rejected_at`);