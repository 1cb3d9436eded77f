DROP TRIGGER audit_log_stands;
--> statement-breakpoint
UPDATE audit_log SET name = '' WHERE kind = 'blog' AND name <> '' AND NOT EXISTS (SELECT 1 FROM blogs WHERE id = target);
--> statement-breakpoint
UPDATE audit_log SET name = '' WHERE kind = 'comment' AND name <> ''
AND NOT EXISTS (SELECT 1 FROM comments WHERE id = target AND deleted_at IS NULL)
AND NOT EXISTS (SELECT 1 FROM held_comments WHERE id = target);
--> statement-breakpoint
UPDATE audit_log SET name = '', reason = '' WHERE kind = 'profile' AND (name <> '' OR reason <> '')
AND NOT EXISTS (SELECT 1 FROM users WHERE id = target);
--> statement-breakpoint
-- What moderators did stands. Of what is deleted for good the name goes, and of a person what was said of them; of nothing before that.
CREATE TRIGGER audit_log_stands BEFORE UPDATE ON audit_log
WHEN (new.number, new.at, new.actor_id, new.actor, new.act, new.kind, new.target, new.name)
  IS NOT (old.number, old.at, old.actor_id, old.actor, old.act, old.kind, old.target, '')
OR new.reason IS NOT CASE old.kind WHEN 'profile' THEN '' ELSE old.reason END
OR CASE old.kind
  WHEN 'blog' THEN EXISTS (SELECT 1 FROM blogs WHERE id = old.target)
  WHEN 'comment' THEN EXISTS (SELECT 1 FROM comments WHERE id = old.target AND deleted_at IS NULL)
    OR EXISTS (SELECT 1 FROM held_comments WHERE id = old.target)
  WHEN 'profile' THEN EXISTS (SELECT 1 FROM users WHERE id = old.target)
  ELSE 1
END
BEGIN
  SELECT RAISE(ABORT, 'What moderators did is not changed afterwards.');
END;
--> statement-breakpoint
CREATE TRIGGER audit_log_blog_deleted AFTER DELETE ON blogs BEGIN
  UPDATE audit_log SET name = '' WHERE target = old.id AND kind = 'blog';
END;
--> statement-breakpoint
CREATE TRIGGER audit_log_comment_deleted AFTER DELETE ON comments BEGIN
  UPDATE audit_log SET name = '' WHERE target = old.id AND kind = 'comment';
END;
--> statement-breakpoint
CREATE TRIGGER audit_log_comment_emptied AFTER UPDATE OF deleted_at ON comments
WHEN new.deleted_at IS NOT NULL AND old.deleted_at IS NULL BEGIN
  UPDATE audit_log SET name = '' WHERE target = new.id AND kind = 'comment';
END;
--> statement-breakpoint
CREATE TRIGGER audit_log_held_deleted AFTER DELETE ON held_comments
WHEN NOT EXISTS (SELECT 1 FROM comments WHERE id = old.id) BEGIN
  UPDATE audit_log SET name = '' WHERE target = old.id AND kind = 'comment';
END;
--> statement-breakpoint
CREATE TRIGGER audit_log_person_deleted AFTER DELETE ON users BEGIN
  UPDATE audit_log SET name = '', reason = '' WHERE target = old.id AND kind = 'profile';
END;
