ALTER TABLE `blogs` ADD `cover_focus` text;--> statement-breakpoint
ALTER TABLE `revisions` ADD `cover_focus` text;