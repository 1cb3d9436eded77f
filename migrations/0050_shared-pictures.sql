-- Until now the commits themselves said who had added a picture to a text.
UPDATE `writing_media` SET `shared` = 1 WHERE EXISTS (
  SELECT 1 FROM `media` p JOIN `blogs` b ON b.`id` = `writing_media`.`blog_id`
  WHERE p.`id` = `writing_media`.`media_id` AND (
    b.`author_id` = p.`owner_id`
    OR EXISTS (SELECT 1 FROM `blog_authors` a WHERE a.`blog_id` = b.`id` AND a.`user_id` = p.`owner_id` AND a.`accepted_at` IS NOT NULL)
    OR EXISTS (SELECT 1 FROM `writing_commits` c WHERE c.`blog_id` = b.`id` AND c.`author_id` = p.`owner_id`
      AND (instr(c.`steps`, p.`id`) > 0 OR instr(c.`fields`, p.`id`) > 0))));
--> statement-breakpoint
-- Readers know the address of a draft that was public before; from now on it is kept when the blog becomes one.
INSERT OR IGNORE INTO `old_slugs` (`slug`, `blog_id`)
  SELECT `slug`, `id` FROM `blogs` WHERE `draft` = 1 AND (`edited_at` IS NOT NULL OR `hidden_for` IS NOT NULL);
