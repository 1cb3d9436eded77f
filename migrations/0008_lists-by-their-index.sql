DROP INDEX `blog_likes_time`;--> statement-breakpoint
CREATE INDEX `blog_likes_time` ON `blog_likes` (`blog_id`,`created_at`,`user_id`);--> statement-breakpoint
DROP INDEX `blog_saves_time`;--> statement-breakpoint
CREATE INDEX `blog_saves_time` ON `blog_saves` (`blog_id`,`created_at`,`user_id`);--> statement-breakpoint
DROP INDEX `blogs_latest`;--> statement-breakpoint
DROP INDEX `blogs_liked`;--> statement-breakpoint
ALTER TABLE `blogs` ADD `open` integer DEFAULT true NOT NULL;--> statement-breakpoint
CREATE INDEX `blogs_written` ON `blogs` (`author_id`,`published_at`,`id`,`draft`,`private`,`open`);--> statement-breakpoint
CREATE INDEX `blogs_found` ON `blogs` (`number`,`open`,`author_id`,`published_at`,`id`) WHERE draft = 0;--> statement-breakpoint
CREATE INDEX `blogs_latest` ON `blogs` (`published_at`,`id`,`open`,`author_id`) WHERE draft = 0;--> statement-breakpoint
CREATE INDEX `blogs_liked` ON `blogs` (`likes_count`,`published_at`,`id`,`open`,`author_id`) WHERE draft = 0;--> statement-breakpoint
DROP INDEX `comment_likes_time`;--> statement-breakpoint
CREATE INDEX `comment_likes_time` ON `comment_likes` (`comment_id`,`created_at`,`user_id`);--> statement-breakpoint
DROP INDEX `notifications_unread`;--> statement-breakpoint
CREATE INDEX `notifications_unread` ON `notifications` (`user_id`,`kind`,`target`,`blog_id`) WHERE read_at is null;--> statement-breakpoint
ALTER TABLE `users` ADD `public_blogs` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `private_blogs` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `draft_blogs` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `likes_received` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `comments_received` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `unsettled` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `users_unsettled` ON `users` (`id`) WHERE unsettled = 1;--> statement-breakpoint
UPDATE blogs SET open = 0 WHERE draft = 1 OR private = 1 OR author_id IN (SELECT id FROM users WHERE private = 1);
--> statement-breakpoint
-- What an author's blogs come to, counted once.
UPDATE users SET
  public_blogs = (SELECT count(*) FROM blogs WHERE author_id = users.id AND draft = 0 AND private = 0),
  private_blogs = (SELECT count(*) FROM blogs WHERE author_id = users.id AND draft = 0 AND private = 1),
  draft_blogs = (SELECT count(*) FROM blogs WHERE author_id = users.id AND draft = 1),
  likes_received = (SELECT coalesce(sum(likes_count), 0) FROM blogs WHERE author_id = users.id),
  comments_received = (SELECT coalesce(sum(comments_count), 0) FROM blogs WHERE author_id = users.id)
WHERE EXISTS (SELECT 1 FROM blogs WHERE author_id = users.id);
--> statement-breakpoint
-- A sum and a mark are kept by whatever changes the rows that they are made of: an import, a deletion that cascades, a job.
CREATE TRIGGER blogs_counted_insert AFTER INSERT ON blogs BEGIN
  UPDATE blogs SET open = 0 WHERE number = new.number
    AND (draft = 1 OR private = 1 OR (SELECT private FROM users WHERE id = new.author_id) = 1);
  UPDATE users SET
    public_blogs = public_blogs + (new.draft = 0 AND new.private = 0),
    private_blogs = private_blogs + (new.draft = 0 AND new.private = 1),
    draft_blogs = draft_blogs + (new.draft = 1),
    likes_received = likes_received + new.likes_count,
    comments_received = comments_received + new.comments_count
  WHERE id = new.author_id;
END;
--> statement-breakpoint
CREATE TRIGGER blogs_counted_delete AFTER DELETE ON blogs BEGIN
  UPDATE users SET
    public_blogs = public_blogs - (old.draft = 0 AND old.private = 0),
    private_blogs = private_blogs - (old.draft = 0 AND old.private = 1),
    draft_blogs = draft_blogs - (old.draft = 1),
    likes_received = likes_received - old.likes_count,
    comments_received = comments_received - old.comments_count
  WHERE id = old.author_id;
END;
--> statement-breakpoint
CREATE TRIGGER blogs_counted_update AFTER UPDATE OF draft, private, likes_count, comments_count ON blogs
WHEN (old.draft, old.private, old.likes_count, old.comments_count) IS NOT (new.draft, new.private, new.likes_count, new.comments_count) BEGIN
  UPDATE blogs SET open = NOT open WHERE number = new.number AND (old.draft, old.private) IS NOT (new.draft, new.private)
    AND open <> (draft = 0 AND private = 0 AND (SELECT private FROM users WHERE id = new.author_id) = 0);
  UPDATE users SET
    public_blogs = public_blogs + (new.draft = 0 AND new.private = 0) - (old.draft = 0 AND old.private = 0),
    private_blogs = private_blogs + (new.draft = 0 AND new.private = 1) - (old.draft = 0 AND old.private = 1),
    draft_blogs = draft_blogs + (new.draft = 1) - (old.draft = 1),
    likes_received = likes_received + new.likes_count - old.likes_count,
    comments_received = comments_received + new.comments_count - old.comments_count
  WHERE id = new.author_id;
END;
--> statement-breakpoint
-- Somebody with twenty thousand blogs would hold up everybody: the marks follow in small steps (src/server/social/settings.ts),
-- and as long as one account waits for that, lists look at the accounts themselves.
CREATE TRIGGER users_open_update AFTER UPDATE OF private ON users WHEN old.private <> new.private BEGIN
  UPDATE users SET unsettled = 1 WHERE number = new.number AND public_blogs > 0;
END;
