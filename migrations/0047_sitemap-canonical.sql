DROP INDEX `blogs_mapped`;--> statement-breakpoint
CREATE INDEX `blogs_mapped` ON `blogs` (`number`,`slug`,`published_at`,`edited_at`,`author_id`,`canonical_url`) WHERE open = 1;