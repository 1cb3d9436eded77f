CREATE TABLE `schedules` (
	`blog_id` text PRIMARY KEY NOT NULL,
	`publish_at` integer NOT NULL,
	`zone` text NOT NULL,
	`job_id` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`blog_id`) REFERENCES `blogs`(`id`) ON UPDATE no action ON DELETE cascade
);
