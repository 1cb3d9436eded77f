CREATE TABLE `invitations` (
	`code` text PRIMARY KEY NOT NULL,
	`places` integer NOT NULL,
	`used` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer
);
--> statement-breakpoint
CREATE INDEX `invitations_created` ON `invitations` (`created_at`);