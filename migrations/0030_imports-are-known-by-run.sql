CREATE TABLE `import_runs` (
	`id` text PRIMARY KEY NOT NULL,
	`author_id` text NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`local` integer DEFAULT false NOT NULL,
	`state` text NOT NULL,
	`options` text NOT NULL,
	`done` integer DEFAULT 0 NOT NULL,
	`count` integer DEFAULT 0 NOT NULL,
	`report` text,
	`problem` text,
	`created_at` integer NOT NULL,
	`changed_at` integer NOT NULL,
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `import_runs_author` ON `import_runs` (`author_id`,`created_at`);--> statement-breakpoint
ALTER TABLE `imports` ADD `run_id` text;--> statement-breakpoint
ALTER TABLE `imports` ADD `hash` text;--> statement-breakpoint
ALTER TABLE `imports` ADD `version` integer;--> statement-breakpoint
ALTER TABLE `imports` ADD `said` text;--> statement-breakpoint
CREATE INDEX `imports_run` ON `imports` (`run_id`,`blog_id`);