CREATE TABLE `site_texts` (
	`kind` text NOT NULL,
	`version` integer NOT NULL,
	`source` text NOT NULL,
	`drawn` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`kind`, `version`)
);
--> statement-breakpoint
CREATE TABLE `days` (
	`day` integer NOT NULL,
	`what` text NOT NULL,
	`count` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`day`, `what`)
);
--> statement-breakpoint
CREATE TABLE `uses` (
	`day` integer NOT NULL,
	`what` text NOT NULL,
	`holder` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`day`, `what`, `holder`)
);
--> statement-breakpoint
ALTER TABLE `users` ADD `writer` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `texts_seen_at` integer;--> statement-breakpoint
-- What was there before is counted once, by the day of UTC on which it came.
INSERT INTO days (day, what, count) SELECT verified_at / 86400000, 'people', count(*) FROM users WHERE verified_at IS NOT NULL GROUP BY 1;
--> statement-breakpoint
INSERT INTO days (day, what, count) SELECT created_at / 86400000, 'blogs', count(*) FROM blogs GROUP BY 1;
--> statement-breakpoint
INSERT INTO days (day, what, count) SELECT created_at / 86400000, 'comments', count(*) FROM comments GROUP BY 1;
--> statement-breakpoint
INSERT INTO days (day, what, count) SELECT created_at / 86400000, 'bytes', sum(bytes) FROM media GROUP BY 1;
--> statement-breakpoint
CREATE TRIGGER days_person_added AFTER INSERT ON users WHEN new.verified_at IS NOT NULL BEGIN
  INSERT INTO days (day, what, count) VALUES (unixepoch() / 86400, 'people', 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;
--> statement-breakpoint
CREATE TRIGGER days_person_confirmed AFTER UPDATE OF verified_at ON users WHEN old.verified_at IS NULL AND new.verified_at IS NOT NULL BEGIN
  INSERT INTO days (day, what, count) VALUES (unixepoch() / 86400, 'people', 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;
--> statement-breakpoint
CREATE TRIGGER days_blog AFTER INSERT ON blogs BEGIN
  INSERT INTO days (day, what, count) VALUES (unixepoch() / 86400, 'blogs', 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;
--> statement-breakpoint
CREATE TRIGGER days_comment AFTER INSERT ON comments BEGIN
  INSERT INTO days (day, what, count) VALUES (unixepoch() / 86400, 'comments', 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;
--> statement-breakpoint
CREATE TRIGGER days_picture_added AFTER INSERT ON media BEGIN
  INSERT INTO days (day, what, count) VALUES (unixepoch() / 86400, 'bytes', new.bytes) ON CONFLICT DO UPDATE SET count = count + excluded.count;
END;
--> statement-breakpoint
CREATE TRIGGER days_picture_gone AFTER DELETE ON media BEGIN
  INSERT INTO days (day, what, count) VALUES (unixepoch() / 86400, 'bytes', -old.bytes) ON CONFLICT DO UPDATE SET count = count + excluded.count;
END;
--> statement-breakpoint
-- A job that is done goes; one without a mail stands for the mail that an unknown address does not get.
CREATE TRIGGER days_mail_sent AFTER DELETE ON jobs WHEN old.name = 'mail' AND old.failed_at IS NULL AND old.payload ->> '$.mail' IS NOT NULL BEGIN
  INSERT INTO days (day, what, count) VALUES (unixepoch() / 86400, 'mails', 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;
--> statement-breakpoint
CREATE TRIGGER days_mail_failed AFTER UPDATE OF failed_at ON jobs WHEN new.name = 'mail' AND old.failed_at IS NULL AND new.failed_at IS NOT NULL BEGIN
  INSERT INTO days (day, what, count) VALUES (unixepoch() / 86400, 'mails-failed', 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;
