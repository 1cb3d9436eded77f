ALTER TABLE `mail_tokens` ADD `name` text;--> statement-breakpoint
ALTER TABLE `mail_tokens` ADD `password_hash` text;