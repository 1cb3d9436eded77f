DROP INDEX `comments_author`;--> statement-breakpoint
CREATE INDEX `comments_author` ON `comments` (`author_id`,`blog_id`);