CREATE TABLE `held_usernames` (
	`username` text PRIMARY KEY NOT NULL,
	`user_id` text,
	`until` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `held_usernames_user` ON `held_usernames` (`user_id`);--> statement-breakpoint
CREATE INDEX `held_usernames_until` ON `held_usernames` (`until`);--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`payload` text NOT NULL,
	`due_at` integer NOT NULL,
	`leased_until` integer,
	`attempts` integer DEFAULT 0 NOT NULL,
	`last_error` text,
	`failed_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `jobs_due` ON `jobs` (`due_at`) WHERE failed_at is null;--> statement-breakpoint
CREATE INDEX `jobs_failed` ON `jobs` (`failed_at`) WHERE failed_at is not null;--> statement-breakpoint
CREATE TABLE `known_browsers` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`seen_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `known_browsers_user` ON `known_browsers` (`user_id`,`seen_at`);--> statement-breakpoint
ALTER TABLE `media` ADD `unused_at` integer;--> statement-breakpoint
CREATE INDEX `media_unused` ON `media` (`unused_at`) WHERE unused_at is not null;--> statement-breakpoint
ALTER TABLE `users` ADD `look` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `users_look` ON `users` (`look`);