DROP INDEX `writing_commits_client`;--> statement-breakpoint
DROP INDEX `writing_commits_author`;--> statement-breakpoint
ALTER TABLE `writing_commits` ADD `digest` text;--> statement-breakpoint
CREATE UNIQUE INDEX `writing_commits_identity` ON `writing_commits` (`author_id`,`blog_id`,`client`,`number`);--> statement-breakpoint
CREATE INDEX `writing_commits_steps` ON `writing_commits` (`created_at`) WHERE octet_length(steps) > 0;--> statement-breakpoint
ALTER TABLE `writing_media` ADD `shared` integer DEFAULT false NOT NULL;