CREATE INDEX `media_owner_bytes` ON `media` (`owner_id`,`bytes`);
--> statement-breakpoint
-- Letters of notices are mails as well. Of one that tells of nothing any more no time is kept.
CREATE TRIGGER days_letter_sent AFTER UPDATE OF sent_at ON notice_letters WHEN new.sent_at IS NOT NULL AND new.sent_at IS NOT old.sent_at BEGIN
  INSERT INTO days (day, what, count) VALUES (unixepoch() / 86400, 'mails', 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;
--> statement-breakpoint
CREATE TRIGGER days_letter_failed AFTER UPDATE OF failed_at ON jobs WHEN new.name = 'notice-letter' AND old.failed_at IS NULL AND new.failed_at IS NOT NULL BEGIN
  INSERT INTO days (day, what, count) VALUES (unixepoch() / 86400, 'mails-failed', 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;