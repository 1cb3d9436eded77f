CREATE TABLE `staff_notes` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`author` text NOT NULL,
	`words` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `staff_notes_of` ON `staff_notes` (`user_id`,`created_at`);--> statement-breakpoint
ALTER TABLE `users` ADD `silenced_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `silenced_for` text;--> statement-breakpoint
CREATE INDEX `users_silenced` ON `users` (`id`) WHERE silenced_at is not null;--> statement-breakpoint
CREATE INDEX `users_unverified` ON `users` (`number`) WHERE verified_at is null;--> statement-breakpoint
-- As where an account opens or closes: the marks of its blogs follow in small steps.
CREATE TRIGGER users_silenced_update AFTER UPDATE OF silenced_at ON users
WHEN (old.silenced_at IS NULL) <> (new.silenced_at IS NULL) BEGIN
  UPDATE users SET unsettled = 1 WHERE number = new.number AND public_blogs > 0;
END;
--> statement-breakpoint
-- What a silenced account publishes is not open to everybody either.
DROP TRIGGER blogs_counted_insert;
--> statement-breakpoint
CREATE TRIGGER blogs_counted_insert AFTER INSERT ON blogs BEGIN
  UPDATE blogs SET open = 0 WHERE number = new.number
    AND (draft = 1 OR private = 1 OR EXISTS (SELECT 1 FROM users WHERE id = new.author_id
      AND (private = 1 OR suspended_at IS NOT NULL OR silenced_at IS NOT NULL)));
  UPDATE users SET
    public_blogs = public_blogs + (new.draft = 0 AND new.private = 0),
    private_blogs = private_blogs + (new.draft = 0 AND new.private = 1),
    draft_blogs = draft_blogs + (new.draft = 1),
    likes_received = likes_received + new.likes_count,
    comments_received = comments_received + new.comments_count
  WHERE id = new.author_id;
END;
--> statement-breakpoint
DROP TRIGGER blogs_counted_update;
--> statement-breakpoint
CREATE TRIGGER blogs_counted_update AFTER UPDATE OF draft, private, likes_count, comments_count ON blogs
WHEN (old.draft, old.private, old.likes_count, old.comments_count) IS NOT (new.draft, new.private, new.likes_count, new.comments_count) BEGIN
  UPDATE blogs SET open = NOT open WHERE number = new.number AND (old.draft, old.private) IS NOT (new.draft, new.private)
    AND open <> (draft = 0 AND private = 0 AND NOT EXISTS (SELECT 1 FROM users WHERE id = new.author_id
      AND (private = 1 OR suspended_at IS NOT NULL OR silenced_at IS NOT NULL)));
  UPDATE users SET
    public_blogs = public_blogs + (new.draft = 0 AND new.private = 0) - (old.draft = 0 AND old.private = 0),
    private_blogs = private_blogs + (new.draft = 0 AND new.private = 1) - (old.draft = 0 AND old.private = 1),
    draft_blogs = draft_blogs + (new.draft = 1) - (old.draft = 1),
    likes_received = likes_received + new.likes_count - old.likes_count,
    comments_received = comments_received + new.comments_count - old.comments_count
  WHERE id = new.author_id;
END;
