ALTER TABLE `held_comments` ADD `for_link` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `held_comments_link` ON `held_comments` (`created_at`,`id`) WHERE for_link = 1;--> statement-breakpoint
ALTER TABLE `staff_notes` ADD `author_id` text REFERENCES users(id) ON DELETE SET NULL;--> statement-breakpoint
CREATE INDEX `staff_notes_author` ON `staff_notes` (`author_id`);--> statement-breakpoint
CREATE INDEX `blogs_staff` ON `blogs` (`published_at`,`id`,`draft`,`author_id`) WHERE (draft = 0 and private = 0) or hidden_for is not null;--> statement-breakpoint
CREATE INDEX `comments_written` ON `comments` (`author_id`,`number`);--> statement-breakpoint
UPDATE `staff_notes` SET `author_id` = coalesce(
  (SELECT `id` FROM `users` WHERE `username` = `staff_notes`.`author`),
  (SELECT `user_id` FROM `held_usernames` WHERE `username` = `staff_notes`.`author`)
) WHERE `author` <> 'command-line';