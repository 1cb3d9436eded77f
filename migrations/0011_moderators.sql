CREATE TABLE `audit_log` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`actor_id` text NOT NULL,
	`actor` text NOT NULL,
	`act` text NOT NULL,
	`kind` text NOT NULL,
	`target` text NOT NULL,
	`name` text NOT NULL,
	`reason` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `reports` (
	`id` text PRIMARY KEY NOT NULL,
	`reporter_id` text NOT NULL,
	`kind` text NOT NULL,
	`target` text NOT NULL,
	`owner_id` text NOT NULL,
	`blog_id` text,
	`comment_id` text,
	`reason` text NOT NULL,
	`words` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	`closed_at` integer,
	FOREIGN KEY (`reporter_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`blog_id`) REFERENCES `blogs`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`comment_id`) REFERENCES `comments`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `reports_open` ON `reports` (`created_at`,`target`) WHERE closed_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX `reports_once` ON `reports` (`target`,`reporter_id`) WHERE closed_at is null;--> statement-breakpoint
CREATE INDEX `reports_reporter` ON `reports` (`reporter_id`);--> statement-breakpoint
CREATE INDEX `reports_owner` ON `reports` (`owner_id`);--> statement-breakpoint
CREATE INDEX `reports_blog` ON `reports` (`blog_id`);--> statement-breakpoint
CREATE INDEX `reports_comment` ON `reports` (`comment_id`);--> statement-breakpoint
ALTER TABLE `users` ADD `is_moderator` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `suspended_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `suspended_for` text;--> statement-breakpoint
CREATE INDEX `users_staff` ON `users` (`id`) WHERE is_admin = 1 or is_moderator = 1;--> statement-breakpoint
CREATE INDEX `users_suspended` ON `users` (`id`) WHERE suspended_at is not null;--> statement-breakpoint
ALTER TABLE `blogs` ADD `hidden_for` text;--> statement-breakpoint
CREATE INDEX `blogs_hidden` ON `blogs` (`number`) WHERE hidden_for is not null;--> statement-breakpoint
-- What moderators did stands: nobody changes it afterwards, whatever program they do it by.
CREATE TRIGGER audit_log_stands BEFORE UPDATE ON audit_log BEGIN
  SELECT RAISE(ABORT, 'What moderators did is not changed afterwards.');
END;
--> statement-breakpoint
CREATE TRIGGER audit_log_stays BEFORE DELETE ON audit_log BEGIN
  SELECT RAISE(ABORT, 'What moderators did is not deleted.');
END;
--> statement-breakpoint
-- As where an account opens or closes: the marks of its blogs follow in small steps.
CREATE TRIGGER users_suspended_update AFTER UPDATE OF suspended_at ON users
WHEN (old.suspended_at IS NULL) <> (new.suspended_at IS NULL) BEGIN
  UPDATE users SET unsettled = 1 WHERE number = new.number AND public_blogs > 0;
END;
