ALTER TABLE `mail_tokens` ADD `invitation` text;--> statement-breakpoint
ALTER TABLE `reports` ADD `text` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `reports` ADD `beginning` text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE `reports` SET
  `text` = coalesce(CASE `kind`
    WHEN 'blog' THEN (SELECT b.`title` FROM `blogs` b JOIN `users` u ON u.`id` = b.`author_id` WHERE b.`id` = `reports`.`blog_id`
      AND (b.`hidden_for` IS NOT NULL OR (b.`draft` = 0 AND b.`private` = 0 AND u.`private` = 0)))
    WHEN 'comment' THEN (SELECT c.`text` FROM `comments` c WHERE c.`id` = `reports`.`comment_id`)
    ELSE (SELECT u.`bio` FROM `users` u WHERE u.`id` = `reports`.`owner_id`) END, ''),
  `beginning` = coalesce(CASE `kind`
    WHEN 'blog' THEN (SELECT substr(b.`text`, 1, 1500) FROM `blogs` b JOIN `users` u ON u.`id` = b.`author_id`
      WHERE b.`id` = `reports`.`blog_id` AND b.`draft` = 0 AND b.`private` = 0 AND u.`private` = 0) END, '')
  WHERE `closed_at` IS NULL;
