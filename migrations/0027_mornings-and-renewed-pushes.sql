ALTER TABLE `users` ADD `zone` text;--> statement-breakpoint
ALTER TABLE `push_subscriptions` ADD `gone_at` integer;