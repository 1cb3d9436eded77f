ALTER TABLE `imports` ADD `comments` text;--> statement-breakpoint
ALTER TABLE `comments` ADD `guest_name` text;