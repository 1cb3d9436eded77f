CREATE TABLE `applications` (
	`user_id` text PRIMARY KEY NOT NULL,
	`answer` text NOT NULL,
	`waits_since` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `applications_waiting` ON `applications` (`waits_since`,`user_id`);--> statement-breakpoint
CREATE TABLE `refused_senders` (
	`kind` text NOT NULL,
	`value` text NOT NULL,
	`author` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`kind`, `value`)
);
--> statement-breakpoint
ALTER TABLE `mail_tokens` ADD `answer` text;