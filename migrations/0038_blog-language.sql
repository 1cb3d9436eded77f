ALTER TABLE `blogs` ADD `language` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `blogs` ADD `guessed_language` text DEFAULT '' NOT NULL;