ALTER TABLE `users` ADD `google_linked_at` integer;--> statement-breakpoint
ALTER TABLE `recovery_codes` ADD `created_at` integer;