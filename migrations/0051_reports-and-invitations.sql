ALTER TABLE `mail_tokens` ADD `invitation` text;--> statement-breakpoint
ALTER TABLE `reports` ADD `text` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `reports` ADD `beginning` text DEFAULT '' NOT NULL;