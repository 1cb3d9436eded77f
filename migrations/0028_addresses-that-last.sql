CREATE TABLE `aliases` (
	`path` text PRIMARY KEY NOT NULL,
	`blog_id` text NOT NULL,
	FOREIGN KEY (`blog_id`) REFERENCES `blogs`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `aliases_blog` ON `aliases` (`blog_id`);--> statement-breakpoint
ALTER TABLE `blogs` ADD `canonical_url` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `blogs` ADD `search_title` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `blogs` ADD `search_description` text DEFAULT '' NOT NULL;