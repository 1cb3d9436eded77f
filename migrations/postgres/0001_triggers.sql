-- What migrations/0000_store.sql keeps in step with triggers. Where a trigger there reads the row again, since another may have changed
-- it, one here runs before the row is stored.
CREATE FUNCTION mark_public() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  NEW.is_public := (NEW.draft = 0 AND NEW.private = 0 AND NOT EXISTS (SELECT 1 FROM users WHERE id = NEW.author_id
    AND (private = 1 OR suspended_at IS NOT NULL OR limited_at IS NOT NULL)))::int;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER blogs_public_insert BEFORE INSERT ON blogs FOR EACH ROW EXECUTE FUNCTION mark_public();
--> statement-breakpoint
CREATE TRIGGER blogs_public_update BEFORE UPDATE ON blogs FOR EACH ROW
WHEN ((OLD.draft, OLD.private) IS DISTINCT FROM (NEW.draft, NEW.private)) EXECUTE FUNCTION mark_public();
--> statement-breakpoint
CREATE FUNCTION count_blog(blog blogs, step int) RETURNS void LANGUAGE sql AS $$
  UPDATE users SET
    public_blogs = public_blogs + step * (blog.draft = 0 AND blog.private = 0)::int,
    private_blogs = private_blogs + step * (blog.draft = 0 AND blog.private = 1)::int,
    draft_blogs = draft_blogs + step * blog.draft,
    likes_received = likes_received + step * blog.likes_count,
    comments_received = comments_received + step * blog.comments_count
  WHERE id = blog.author_id
$$;
--> statement-breakpoint
CREATE FUNCTION blogs_counted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM count_blog(OLD, -1); END IF;
  IF TG_OP <> 'DELETE' THEN PERFORM count_blog(NEW, 1); END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER blogs_counted_insert AFTER INSERT OR DELETE ON blogs FOR EACH ROW EXECUTE FUNCTION blogs_counted();
--> statement-breakpoint
CREATE TRIGGER blogs_counted_update AFTER UPDATE ON blogs FOR EACH ROW
WHEN ((OLD.draft, OLD.private, OLD.likes_count, OLD.comments_count) IS DISTINCT FROM (NEW.draft, NEW.private, NEW.likes_count, NEW.comments_count))
EXECUTE FUNCTION blogs_counted();
--> statement-breakpoint
-- `blogs.is_public` of an account's blogs follows in small steps (src/server/accounts/visibility-sync.ts).
CREATE FUNCTION request_visibility_sync() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NEW.public_blogs > 0 THEN NEW.visibility_sync_pending := 1; END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER users_visibility_update BEFORE UPDATE ON users FOR EACH ROW
WHEN (OLD.private <> NEW.private OR (OLD.suspended_at IS NULL) <> (NEW.suspended_at IS NULL) OR (OLD.limited_at IS NULL) <> (NEW.limited_at IS NULL))
EXECUTE FUNCTION request_visibility_sync();
--> statement-breakpoint
CREATE FUNCTION store_blog_tags() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'UPDATE' THEN DELETE FROM blog_tags WHERE blog_seq = NEW.seq; END IF;
  IF NEW.draft = 0 THEN
    INSERT INTO blog_tags (blog_seq, tag, author_id, is_public, likes_count, published_at)
    SELECT DISTINCT NEW.seq, t.value, NEW.author_id, NEW.is_public, NEW.likes_count, NEW.published_at
    FROM json_array_elements_text(NEW.tags::json) t;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER blog_tags_insert AFTER INSERT ON blogs FOR EACH ROW WHEN (NEW.draft = 0) EXECUTE FUNCTION store_blog_tags();
--> statement-breakpoint
CREATE TRIGGER blog_tags_update AFTER UPDATE ON blogs FOR EACH ROW
WHEN ((OLD.tags, OLD.draft) IS DISTINCT FROM (NEW.tags, NEW.draft)) EXECUTE FUNCTION store_blog_tags();
--> statement-breakpoint
CREATE FUNCTION rank_blog_tags() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE blog_tags SET is_public = NEW.is_public, likes_count = NEW.likes_count, published_at = NEW.published_at WHERE blog_seq = NEW.seq;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER blog_tags_ranked AFTER UPDATE ON blogs FOR EACH ROW
WHEN ((OLD.is_public, OLD.likes_count, OLD.published_at) IS DISTINCT FROM (NEW.is_public, NEW.likes_count, NEW.published_at))
EXECUTE FUNCTION rank_blog_tags();
--> statement-breakpoint
-- The columns by which a co-author's lists are paged and counted.
CREATE FUNCTION copy_to_author() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  SELECT draft, private, is_public, published_at INTO NEW.draft, NEW.private, NEW.is_public, NEW.published_at
  FROM blogs WHERE id = NEW.blog_id;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER blog_authors_inserted BEFORE INSERT ON blog_authors FOR EACH ROW
WHEN (NEW.accepted_at IS NOT NULL) EXECUTE FUNCTION copy_to_author();
--> statement-breakpoint
CREATE TRIGGER blog_authors_accepted BEFORE UPDATE ON blog_authors FOR EACH ROW
WHEN (OLD.accepted_at IS NULL AND NEW.accepted_at IS NOT NULL) EXECUTE FUNCTION copy_to_author();
--> statement-breakpoint
CREATE FUNCTION copy_to_authors() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE blog_authors SET draft = NEW.draft, private = NEW.private, is_public = NEW.is_public, published_at = NEW.published_at
  WHERE blog_id = NEW.id AND accepted_at IS NOT NULL;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER blog_authors_marked AFTER UPDATE ON blogs FOR EACH ROW
WHEN ((OLD.draft, OLD.private, OLD.is_public, OLD.published_at) IS DISTINCT FROM (NEW.draft, NEW.private, NEW.is_public, NEW.published_at))
EXECUTE FUNCTION copy_to_authors();
--> statement-breakpoint
CREATE FUNCTION count_shared_blog() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP <> 'INSERT' THEN UPDATE users SET shared_blogs = shared_blogs - OLD.is_public WHERE id = OLD.user_id; END IF;
  IF TG_OP <> 'DELETE' THEN UPDATE users SET shared_blogs = shared_blogs + NEW.is_public WHERE id = NEW.user_id; END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER blog_authors_counted_insert AFTER INSERT ON blog_authors FOR EACH ROW
WHEN (NEW.is_public = 1) EXECUTE FUNCTION count_shared_blog();
--> statement-breakpoint
CREATE TRIGGER blog_authors_counted AFTER UPDATE ON blog_authors FOR EACH ROW
WHEN (OLD.is_public <> NEW.is_public) EXECUTE FUNCTION count_shared_blog();
--> statement-breakpoint
CREATE TRIGGER blog_authors_counted_delete AFTER DELETE ON blog_authors FOR EACH ROW
WHEN (OLD.is_public = 1) EXECUTE FUNCTION count_shared_blog();
--> statement-breakpoint
-- Counts a day. A finished job is deleted; one without an email stands for what an unknown address does not get.
CREATE FUNCTION add_to_day(counted text, amount bigint) RETURNS void LANGUAGE sql AS $$
  INSERT INTO daily_counts (day, kind, count) VALUES (extract(epoch FROM clock_timestamp())::bigint / 86400, counted, amount)
  ON CONFLICT (day, kind) DO UPDATE SET count = daily_counts.count + excluded.count
$$;
--> statement-breakpoint
CREATE FUNCTION count_today() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  PERFORM add_to_day(TG_ARGV[0], 1);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER daily_counts_person_added AFTER INSERT ON users FOR EACH ROW
WHEN (NEW.verified_at IS NOT NULL) EXECUTE FUNCTION count_today('people');
--> statement-breakpoint
CREATE TRIGGER daily_counts_person_confirmed AFTER UPDATE ON users FOR EACH ROW
WHEN (OLD.verified_at IS NULL AND NEW.verified_at IS NOT NULL) EXECUTE FUNCTION count_today('people');
--> statement-breakpoint
CREATE TRIGGER daily_counts_blog AFTER INSERT ON blogs FOR EACH ROW EXECUTE FUNCTION count_today('blogs');
--> statement-breakpoint
CREATE TRIGGER daily_counts_comment AFTER INSERT ON comments FOR EACH ROW EXECUTE FUNCTION count_today('comments');
--> statement-breakpoint
CREATE TRIGGER daily_counts_mail_sent AFTER DELETE ON jobs FOR EACH ROW
WHEN (OLD.name = 'mail' AND OLD.failed_at IS NULL AND json_typeof(OLD.payload::json -> 'mail') <> 'null') EXECUTE FUNCTION count_today('mails');
--> statement-breakpoint
CREATE TRIGGER daily_counts_mail_failed AFTER UPDATE ON jobs FOR EACH ROW
WHEN (NEW.name IN ('mail', 'notification-email') AND OLD.failed_at IS NULL AND NEW.failed_at IS NOT NULL)
EXECUTE FUNCTION count_today('mails-failed');
--> statement-breakpoint
CREATE TRIGGER daily_counts_notification_email_sent AFTER UPDATE ON notification_emails FOR EACH ROW
WHEN (NEW.sent_at IS NOT NULL AND NEW.sent_at IS DISTINCT FROM OLD.sent_at) EXECUTE FUNCTION count_today('mails');
--> statement-breakpoint
CREATE FUNCTION count_picture_bytes() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'INSERT' THEN PERFORM add_to_day('bytes', NEW.bytes); ELSE PERFORM add_to_day('bytes', -OLD.bytes); END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER daily_counts_pictures AFTER INSERT OR DELETE ON media FOR EACH ROW EXECUTE FUNCTION count_picture_bytes();
--> statement-breakpoint
-- No program changes or deletes what moderators did. With its target go the name, and of a person the reason.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  RAISE EXCEPTION '%', TG_ARGV[0];
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_log_undeleted BEFORE DELETE ON audit_log FOR EACH ROW
EXECUTE FUNCTION refuse_change('What moderators did is not deleted.');
--> statement-breakpoint
CREATE FUNCTION check_audit_log_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF ((NEW.seq, NEW.at, NEW.actor_id, NEW.actor, NEW.act, NEW.kind, NEW.target, NEW.name)
      IS DISTINCT FROM (OLD.seq, OLD.at, OLD.actor_id, OLD.actor, OLD.act, OLD.kind, OLD.target, '')
    OR NEW.reason IS DISTINCT FROM CASE OLD.kind WHEN 'profile' THEN '' ELSE OLD.reason END
    OR CASE OLD.kind
      WHEN 'blog' THEN EXISTS (SELECT 1 FROM blogs WHERE id = OLD.target)
      WHEN 'comment' THEN EXISTS (SELECT 1 FROM comments WHERE id = OLD.target AND deleted_at IS NULL)
        OR EXISTS (SELECT 1 FROM pending_comments WHERE id = OLD.target)
      WHEN 'profile' THEN EXISTS (SELECT 1 FROM users WHERE id = OLD.target)
      ELSE true
    END)
  THEN RAISE EXCEPTION 'What moderators did is not changed afterwards.';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_log_unchanged BEFORE UPDATE ON audit_log FOR EACH ROW EXECUTE FUNCTION check_audit_log_change();
--> statement-breakpoint
CREATE FUNCTION forget_in_audit_log() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE audit_log SET name = '', reason = CASE kind WHEN 'profile' THEN '' ELSE reason END WHERE target = OLD.id AND kind = TG_ARGV[0];
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_log_blog_deleted AFTER DELETE ON blogs FOR EACH ROW EXECUTE FUNCTION forget_in_audit_log('blog');
--> statement-breakpoint
CREATE TRIGGER audit_log_comment_deleted AFTER DELETE ON comments FOR EACH ROW EXECUTE FUNCTION forget_in_audit_log('comment');
--> statement-breakpoint
CREATE TRIGGER audit_log_comment_emptied AFTER UPDATE ON comments FOR EACH ROW
WHEN (NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL) EXECUTE FUNCTION forget_in_audit_log('comment');
--> statement-breakpoint
CREATE FUNCTION forget_pending_comment_in_audit_log() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE audit_log SET name = '' WHERE target = OLD.id AND kind = 'comment' AND NOT EXISTS (SELECT 1 FROM comments WHERE id = OLD.id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_log_pending_comment_deleted AFTER DELETE ON pending_comments FOR EACH ROW
EXECUTE FUNCTION forget_pending_comment_in_audit_log();
--> statement-breakpoint
CREATE TRIGGER audit_log_person_deleted AFTER DELETE ON users FOR EACH ROW EXECUTE FUNCTION forget_in_audit_log('profile');
