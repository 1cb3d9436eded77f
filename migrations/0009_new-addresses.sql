ALTER TABLE `mail_tokens` ADD `email` text;--> statement-breakpoint
ALTER TABLE `mail_tokens` ADD `session` text;