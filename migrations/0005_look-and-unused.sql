-- As src/shared/look-alike.ts has it.
UPDATE users SET look = replace(replace(replace(replace(replace(replace(replace(replace(username, '.', ''), '_', ''), '-', ''), '0', 'o'), '1', 'l'), 'i', 'l'), 'rn', 'm'), 'vv', 'w');
--> statement-breakpoint
-- What nothing shows today goes a month from now.
UPDATE media SET unused_at = unixepoch() * 1000
WHERE NOT EXISTS (SELECT 1 FROM blogs WHERE cover_id = media.id)
  AND NOT EXISTS (SELECT 1 FROM blog_media WHERE media_id = media.id)
  AND NOT EXISTS (SELECT 1 FROM users WHERE picture_id = media.id);
