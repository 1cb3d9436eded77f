CREATE TABLE `mail_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`name` text,
	`password_hash` text,
	`answer` text,
	`invitation` text,
	`email` text,
	`session` text,
	`user_id` text NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `mail_tokens_user` ON `mail_tokens` (`user_id`,`kind`);--> statement-breakpoint
CREATE INDEX `mail_tokens_expiry` ON `mail_tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `reserved_usernames` (
	`username` text PRIMARY KEY NOT NULL,
	`user_id` text,
	`until` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `reserved_usernames_user` ON `reserved_usernames` (`user_id`);--> statement-breakpoint
CREATE INDEX `reserved_usernames_until` ON `reserved_usernames` (`until`);--> statement-breakpoint
CREATE TABLE `users` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`username` text NOT NULL,
	`username_skeleton` text DEFAULT '' NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`bio` text DEFAULT '' NOT NULL,
	`password_hash` text,
	`google_id` text,
	`google_linked_at` integer,
	`picture_id` text,
	`interests` text DEFAULT '[]' NOT NULL,
	`muted_words` text DEFAULT '[]' NOT NULL,
	`private` integer DEFAULT false NOT NULL,
	`show_liked_blogs` integer DEFAULT true NOT NULL,
	`show_saved_blogs` integer DEFAULT false NOT NULL,
	`show_followers` integer DEFAULT true NOT NULL,
	`show_presence` integer DEFAULT true NOT NULL,
	`is_admin` integer DEFAULT false NOT NULL,
	`is_moderator` integer DEFAULT false NOT NULL,
	`can_publish` integer DEFAULT false NOT NULL,
	`notifications_seen_at` integer,
	`texts_seen_at` integer,
	`suspended_at` integer,
	`suspension_reason` text,
	`limited_at` integer,
	`limit_reason` text,
	`followers_count` integer DEFAULT 0 NOT NULL,
	`following_count` integer DEFAULT 0 NOT NULL,
	`public_blogs` integer DEFAULT 0 NOT NULL,
	`shared_blogs` integer DEFAULT 0 NOT NULL,
	`private_blogs` integer DEFAULT 0 NOT NULL,
	`draft_blogs` integer DEFAULT 0 NOT NULL,
	`likes_received` integer DEFAULT 0 NOT NULL,
	`comments_received` integer DEFAULT 0 NOT NULL,
	`visibility_sync_pending` integer DEFAULT false NOT NULL,
	`passkey_step` integer DEFAULT false NOT NULL,
	`zone` text,
	`feed_renewals` integer DEFAULT 0 NOT NULL,
	`signed_in_at` integer,
	`verified_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`picture_id`) REFERENCES `media`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_id_unique` ON `users` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_username_unique` ON `users` (`username`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_google_id_unique` ON `users` (`google_id`);--> statement-breakpoint
CREATE INDEX `users_picture` ON `users` (`picture_id`);--> statement-breakpoint
CREATE INDEX `users_username_skeleton` ON `users` (`username_skeleton`);--> statement-breakpoint
CREATE INDEX `users_visibility_sync` ON `users` (`id`) WHERE visibility_sync_pending = 1;--> statement-breakpoint
CREATE INDEX `users_staff` ON `users` (`id`) WHERE is_admin = 1 or is_moderator = 1;--> statement-breakpoint
CREATE INDEX `users_suspended` ON `users` (`id`) WHERE suspended_at is not null;--> statement-breakpoint
CREATE INDEX `users_limited` ON `users` (`id`) WHERE limited_at is not null;--> statement-breakpoint
CREATE INDEX `users_unverified` ON `users` (`seq`) WHERE verified_at is null;--> statement-breakpoint
CREATE TABLE `blocks` (
	`viewer_id` text NOT NULL,
	`other_id` text NOT NULL,
	`blocked_at` integer,
	PRIMARY KEY(`viewer_id`, `other_id`),
	FOREIGN KEY (`viewer_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`other_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "blocks_others" CHECK(viewer_id <> other_id)
);
--> statement-breakpoint
CREATE INDEX `blocks_other` ON `blocks` (`other_id`);--> statement-breakpoint
CREATE INDEX `blocks_blocked` ON `blocks` (`viewer_id`,`blocked_at`,`other_id`) WHERE blocked_at is not null;--> statement-breakpoint
CREATE TABLE `mutes` (
	`owner_id` text NOT NULL,
	`muted_id` text NOT NULL,
	`muted_at` integer NOT NULL,
	PRIMARY KEY(`owner_id`, `muted_id`),
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`muted_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "mutes_others" CHECK(owner_id <> muted_id)
);
--> statement-breakpoint
CREATE INDEX `mutes_muted` ON `mutes` (`muted_id`);--> statement-breakpoint
CREATE INDEX `mutes_newest` ON `mutes` (`owner_id`,`muted_at`,`muted_id`);--> statement-breakpoint
CREATE TABLE `invitations` (
	`code` text PRIMARY KEY NOT NULL,
	`places` integer NOT NULL,
	`used` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer
);
--> statement-breakpoint
CREATE INDEX `invitations_created` ON `invitations` (`created_at`);--> statement-breakpoint
CREATE TABLE `signup_blocks` (
	`kind` text NOT NULL,
	`value` text NOT NULL,
	`author` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`kind`, `value`)
);
--> statement-breakpoint
CREATE TABLE `signup_requests` (
	`user_id` text PRIMARY KEY NOT NULL,
	`answer` text NOT NULL,
	`requested_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `signup_requests_waiting` ON `signup_requests` (`requested_at`,`user_id`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`hash` text PRIMARY KEY NOT NULL,
	`handle` text NOT NULL,
	`user_id` text NOT NULL,
	`user_agent` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_handle_unique` ON `sessions` (`handle`);--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`,`seen_at`);--> statement-breakpoint
CREATE INDEX `sessions_expiry` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `authenticators` (
	`user_id` text PRIMARY KEY NOT NULL,
	`secret` text NOT NULL,
	`confirmed_at` integer,
	`used_step` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `known_browsers` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`seen_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `known_browsers_user` ON `known_browsers` (`user_id`,`seen_at`);--> statement-breakpoint
CREATE TABLE `passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`public_key` text NOT NULL,
	`counter` integer NOT NULL,
	`transports` text DEFAULT '[]' NOT NULL,
	`created_at` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `passkeys_user` ON `passkeys` (`user_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `recovery_codes_user` ON `recovery_codes` (`user_id`);--> statement-breakpoint
CREATE TABLE `media` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text,
	`hash` text NOT NULL,
	`type` text NOT NULL,
	`width` integer NOT NULL,
	`height` integer NOT NULL,
	`bytes` integer NOT NULL,
	`color` text NOT NULL,
	`widths` text NOT NULL,
	`created_at` integer NOT NULL,
	`unused_at` integer,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `media_owner_hash` ON `media` (`owner_id`,`hash`);--> statement-breakpoint
CREATE INDEX `media_created` ON `media` (`created_at`);--> statement-breakpoint
CREATE INDEX `media_unused` ON `media` (`unused_at`) WHERE unused_at is not null;--> statement-breakpoint
CREATE INDEX `media_owner_bytes` ON `media` (`owner_id`,`bytes`);--> statement-breakpoint
CREATE TABLE `aliases` (
	`path` text PRIMARY KEY NOT NULL,
	`blog_id` text NOT NULL,
	FOREIGN KEY (`blog_id`) REFERENCES `blogs`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `aliases_blog` ON `aliases` (`blog_id`);--> statement-breakpoint
CREATE TABLE `blog_authors` (
	`blog_id` text NOT NULL,
	`user_id` text NOT NULL,
	`invited_at` integer NOT NULL,
	`accepted_at` integer,
	`draft` integer DEFAULT true NOT NULL,
	`private` integer DEFAULT false NOT NULL,
	`is_public` integer DEFAULT false NOT NULL,
	`published_at` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`blog_id`, `user_id`),
	FOREIGN KEY (`blog_id`) REFERENCES `blogs`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `blog_authors_joined` ON `blog_authors` (`blog_id`,`accepted_at`,`user_id`) WHERE accepted_at is not null;--> statement-breakpoint
CREATE INDEX `blog_authors_written` ON `blog_authors` (`user_id`,`published_at`,`blog_id`,`draft`,`private`) WHERE accepted_at is not null;--> statement-breakpoint
CREATE INDEX `blog_authors_invited` ON `blog_authors` (`user_id`,`invited_at`,`blog_id`) WHERE accepted_at is null;--> statement-breakpoint
CREATE TABLE `blog_media` (
	`blog_id` text NOT NULL,
	`media_id` text NOT NULL,
	PRIMARY KEY(`blog_id`, `media_id`),
	FOREIGN KEY (`blog_id`) REFERENCES `blogs`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`media_id`) REFERENCES `media`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `blog_media_media` ON `blog_media` (`media_id`);--> statement-breakpoint
CREATE TABLE `blog_tags` (
	`blog_seq` integer NOT NULL,
	`tag` text NOT NULL,
	`author_id` text NOT NULL,
	`is_public` integer NOT NULL,
	`likes_count` integer NOT NULL,
	`published_at` integer NOT NULL,
	PRIMARY KEY(`blog_seq`, `tag`),
	FOREIGN KEY (`blog_seq`) REFERENCES `blogs`(`seq`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `blog_tags_latest` ON `blog_tags` (`tag`,`published_at`,`blog_seq`,`is_public`,`author_id`);--> statement-breakpoint
CREATE INDEX `blog_tags_liked` ON `blog_tags` (`tag`,`likes_count`,`published_at`,`blog_seq`,`is_public`,`author_id`);--> statement-breakpoint
CREATE TABLE `blogs` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`slug` text NOT NULL,
	`author_id` text NOT NULL,
	`title` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`tags` text DEFAULT '[]' NOT NULL,
	`canonical_url` text DEFAULT '' NOT NULL,
	`search_title` text DEFAULT '' NOT NULL,
	`search_description` text DEFAULT '' NOT NULL,
	`language` text DEFAULT '' NOT NULL,
	`guessed_language` text DEFAULT '' NOT NULL,
	`cover_id` text,
	`cover_focus` text,
	`document` text NOT NULL,
	`html` text NOT NULL,
	`text` text NOT NULL,
	`excerpt` text NOT NULL,
	`words` integer NOT NULL,
	`reading_minutes` integer NOT NULL,
	`draft` integer NOT NULL,
	`private` integer NOT NULL,
	`is_public` integer DEFAULT true NOT NULL,
	`comments_from` text DEFAULT 'everyone' NOT NULL,
	`likes_count` integer DEFAULT 0 NOT NULL,
	`comments_count` integer DEFAULT 0 NOT NULL,
	`saves_count` integer DEFAULT 0 NOT NULL,
	`etag` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`published_at` integer NOT NULL,
	`edited_at` integer,
	`takedown_reason` text,
	`live_since` integer,
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`cover_id`) REFERENCES `media`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "blogs_tags" CHECK(json_valid(tags))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `blogs_id_unique` ON `blogs` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `blogs_slug_unique` ON `blogs` (`slug`);--> statement-breakpoint
CREATE INDEX `blogs_author` ON `blogs` (`author_id`,`draft`,`private`,`published_at`,`id`);--> statement-breakpoint
CREATE INDEX `blogs_cover` ON `blogs` (`cover_id`);--> statement-breakpoint
CREATE INDEX `blogs_written` ON `blogs` (`author_id`,`published_at`,`id`,`draft`,`private`,`is_public`);--> statement-breakpoint
CREATE INDEX `blogs_found` ON `blogs` (`seq`,`is_public`,`author_id`,`published_at`,`id`) WHERE draft = 0;--> statement-breakpoint
CREATE INDEX `blogs_latest` ON `blogs` (`published_at`,`id`,`is_public`,`author_id`) WHERE draft = 0;--> statement-breakpoint
CREATE INDEX `blogs_liked` ON `blogs` (`likes_count`,`published_at`,`id`,`is_public`,`author_id`) WHERE draft = 0;--> statement-breakpoint
CREATE INDEX `blogs_taken_down` ON `blogs` (`seq`) WHERE takedown_reason is not null;--> statement-breakpoint
CREATE INDEX `blogs_staff` ON `blogs` (`published_at`,`id`) WHERE (draft = 0 and private = 0) or takedown_reason is not null;--> statement-breakpoint
CREATE INDEX `blogs_mapped` ON `blogs` (`seq`,`published_at`,`edited_at`) WHERE is_public = 1;--> statement-breakpoint
CREATE TABLE `old_slugs` (
	`slug` text PRIMARY KEY NOT NULL,
	`blog_id` text NOT NULL,
	FOREIGN KEY (`blog_id`) REFERENCES `blogs`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `old_slugs_blog` ON `old_slugs` (`blog_id`);--> statement-breakpoint
CREATE TABLE `schedules` (
	`blog_id` text PRIMARY KEY NOT NULL,
	`publish_at` integer NOT NULL,
	`zone` text NOT NULL,
	`job_id` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`blog_id`) REFERENCES `blogs`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `draft_commits` (
	`blog_id` text NOT NULL,
	`seq` integer NOT NULL,
	`client` text NOT NULL,
	`number` integer NOT NULL,
	`author_id` text,
	`steps` text NOT NULL,
	`fields` text NOT NULL,
	`created_at` integer NOT NULL,
	`digest` text NOT NULL,
	PRIMARY KEY(`blog_id`, `seq`),
	FOREIGN KEY (`blog_id`) REFERENCES `drafts`(`blog_id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `draft_commits_old` ON `draft_commits` (`created_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `draft_commits_identity` ON `draft_commits` (`author_id`,`blog_id`,`client`,`number`);--> statement-breakpoint
CREATE INDEX `draft_commits_steps` ON `draft_commits` (`created_at`) WHERE octet_length(steps) > 0;--> statement-breakpoint
CREATE TABLE `draft_media` (
	`blog_id` text NOT NULL,
	`media_id` text NOT NULL,
	`shared` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`blog_id`, `media_id`),
	FOREIGN KEY (`blog_id`) REFERENCES `drafts`(`blog_id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`media_id`) REFERENCES `media`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `draft_media_media` ON `draft_media` (`media_id`);--> statement-breakpoint
CREATE TABLE `drafts` (
	`blog_id` text PRIMARY KEY NOT NULL,
	`seq` integer NOT NULL,
	`head` text NOT NULL,
	`fields` text NOT NULL,
	`document` text NOT NULL,
	`document_seq` integer NOT NULL,
	`saved_seq` integer NOT NULL,
	`excerpt` text DEFAULT '' NOT NULL,
	`words` integer DEFAULT 0 NOT NULL,
	`next_version_at` integer,
	`named_for` text,
	`changed_at` integer NOT NULL,
	`begun_by` text,
	FOREIGN KEY (`blog_id`) REFERENCES `blogs`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`begun_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `drafts_begun` ON `drafts` (`begun_by`,`changed_at`) WHERE begun_by is not null;--> statement-breakpoint
CREATE INDEX `drafts_unstored` ON `drafts` (`blog_id`,`changed_at`) WHERE document_seq < seq;--> statement-breakpoint
CREATE TABLE `version_media` (
	`version_id` text NOT NULL,
	`media_id` text NOT NULL,
	PRIMARY KEY(`version_id`, `media_id`),
	FOREIGN KEY (`version_id`) REFERENCES `versions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`media_id`) REFERENCES `media`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `version_media_media` ON `version_media` (`media_id`);--> statement-breakpoint
CREATE TABLE `versions` (
	`id` text PRIMARY KEY NOT NULL,
	`blog_id` text NOT NULL,
	`author_id` text,
	`reason` text NOT NULL,
	`title` text NOT NULL,
	`description` text NOT NULL,
	`tags` text NOT NULL,
	`cover_id` text,
	`cover_focus` text,
	`words` integer NOT NULL,
	`created_at` integer NOT NULL,
	`restored_from` text,
	`document` text NOT NULL,
	FOREIGN KEY (`blog_id`) REFERENCES `blogs`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`cover_id`) REFERENCES `media`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `versions_blog` ON `versions` (`blog_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `versions_age` ON `versions` (`created_at`,`blog_id`);--> statement-breakpoint
CREATE INDEX `versions_author` ON `versions` (`author_id`);--> statement-breakpoint
CREATE INDEX `versions_cover` ON `versions` (`cover_id`);--> statement-breakpoint
CREATE TABLE `import_runs` (
	`id` text PRIMARY KEY NOT NULL,
	`author_id` text NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`local` integer DEFAULT false NOT NULL,
	`state` text NOT NULL,
	`options` text NOT NULL,
	`done` integer DEFAULT 0 NOT NULL,
	`count` integer DEFAULT 0 NOT NULL,
	`report` text,
	`problem` text,
	`created_at` integer NOT NULL,
	`changed_at` integer NOT NULL,
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `import_runs_author` ON `import_runs` (`author_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `imports` (
	`author_id` text NOT NULL,
	`source` text NOT NULL,
	`blog_id` text,
	`imported_at` integer NOT NULL,
	`run_id` text,
	`hash` text,
	`etag` integer,
	`report` text,
	`comments` text,
	PRIMARY KEY(`author_id`, `source`),
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`blog_id`) REFERENCES `blogs`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `imports_blog` ON `imports` (`blog_id`);--> statement-breakpoint
CREATE INDEX `imports_run` ON `imports` (`run_id`,`blog_id`);--> statement-breakpoint
CREATE TABLE `comment_likes` (
	`comment_id` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`comment_id`, `user_id`),
	FOREIGN KEY (`comment_id`) REFERENCES `comments`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `comment_likes_user` ON `comment_likes` (`user_id`,`comment_id`);--> statement-breakpoint
CREATE INDEX `comment_likes_time` ON `comment_likes` (`comment_id`,`created_at`,`user_id`);--> statement-breakpoint
CREATE TABLE `comments` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`blog_id` text NOT NULL,
	`parent_id` text,
	`root_id` text NOT NULL,
	`author_id` text,
	`guest_name` text,
	`text` text NOT NULL,
	`likes_count` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`edited_at` integer,
	`deleted_at` integer,
	`mark` text,
	FOREIGN KEY (`blog_id`) REFERENCES `blogs`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`parent_id`) REFERENCES `comments`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `comments_id_unique` ON `comments` (`id`);--> statement-breakpoint
CREATE INDEX `comments_top` ON `comments` (`blog_id`,`created_at`,`id`) WHERE parent_id is null;--> statement-breakpoint
CREATE INDEX `comments_thread` ON `comments` (`root_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `comments_parent` ON `comments` (`parent_id`);--> statement-breakpoint
CREATE INDEX `comments_blog` ON `comments` (`blog_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `comments_pinned` ON `comments` (`blog_id`) WHERE mark = 'pinned';--> statement-breakpoint
CREATE INDEX `comments_author` ON `comments` (`author_id`,`blog_id`);--> statement-breakpoint
CREATE INDEX `comments_written` ON `comments` (`author_id`,`seq`);--> statement-breakpoint
CREATE TABLE `pending_comments` (
	`id` text PRIMARY KEY NOT NULL,
	`blog_id` text NOT NULL,
	`parent_id` text,
	`author_id` text NOT NULL,
	`text` text NOT NULL,
	`created_at` integer NOT NULL,
	`for_link` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`blog_id`) REFERENCES `blogs`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`parent_id`) REFERENCES `comments`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `pending_comments_blog` ON `pending_comments` (`blog_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `pending_comments_author` ON `pending_comments` (`author_id`,`blog_id`);--> statement-breakpoint
CREATE INDEX `pending_comments_parent` ON `pending_comments` (`parent_id`);--> statement-breakpoint
CREATE INDEX `pending_comments_link` ON `pending_comments` (`created_at`,`id`) WHERE for_link = 1;--> statement-breakpoint
CREATE TABLE `blog_likes` (
	`blog_id` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`blog_id`, `user_id`),
	FOREIGN KEY (`blog_id`) REFERENCES `blogs`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `blog_likes_user` ON `blog_likes` (`user_id`,`created_at`,`blog_id`);--> statement-breakpoint
CREATE INDEX `blog_likes_time` ON `blog_likes` (`blog_id`,`created_at`,`user_id`);--> statement-breakpoint
CREATE TABLE `blog_saves` (
	`blog_id` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`blog_id`, `user_id`),
	FOREIGN KEY (`blog_id`) REFERENCES `blogs`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `blog_saves_user` ON `blog_saves` (`user_id`,`created_at`,`blog_id`);--> statement-breakpoint
CREATE INDEX `blog_saves_time` ON `blog_saves` (`blog_id`,`created_at`,`user_id`);--> statement-breakpoint
CREATE TABLE `follow_requests` (
	`requester_id` text NOT NULL,
	`owner_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`requester_id`, `owner_id`),
	FOREIGN KEY (`requester_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `follow_requests_owner` ON `follow_requests` (`owner_id`,`created_at`,`requester_id`);--> statement-breakpoint
CREATE TABLE `follows` (
	`follower_id` text NOT NULL,
	`followed_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`follower_id`, `followed_id`),
	FOREIGN KEY (`follower_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`followed_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "follows_others" CHECK(follower_id <> followed_id)
);
--> statement-breakpoint
CREATE INDEX `follows_followed` ON `follows` (`followed_id`,`created_at`,`follower_id`);--> statement-breakpoint
CREATE INDEX `follows_follower` ON `follows` (`follower_id`,`created_at`,`followed_id`);--> statement-breakpoint
CREATE TABLE `reading_positions` (
	`user_id` text NOT NULL,
	`blog_id` text NOT NULL,
	`block` integer NOT NULL,
	`words` integer NOT NULL,
	`part` integer NOT NULL,
	`left_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `blog_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`blog_id`) REFERENCES `blogs`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `reading_positions_blog` ON `reading_positions` (`blog_id`);--> statement-breakpoint
CREATE INDEX `reading_positions_time` ON `reading_positions` (`user_id`,`left_at`,`blog_id`);--> statement-breakpoint
CREATE TABLE `rejected_requests` (
	`requester_id` text NOT NULL,
	`owner_id` text NOT NULL,
	`asked_at` integer NOT NULL,
	`rejected_at` integer NOT NULL,
	PRIMARY KEY(`requester_id`, `owner_id`),
	FOREIGN KEY (`requester_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `rejected_requests_owner` ON `rejected_requests` (`owner_id`);--> statement-breakpoint
CREATE INDEX `rejected_requests_time` ON `rejected_requests` (`rejected_at`);--> statement-breakpoint
CREATE TABLE `blog_subscriptions` (
	`user_id` text NOT NULL,
	`blog_id` text NOT NULL,
	`level` text NOT NULL,
	PRIMARY KEY(`user_id`, `blog_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`blog_id`) REFERENCES `blogs`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `blog_subscriptions_blog` ON `blog_subscriptions` (`blog_id`,`level`,`user_id`);--> statement-breakpoint
CREATE TABLE `notification_emails` (
	`user_id` text NOT NULL,
	`frequency` text NOT NULL,
	`since` integer,
	`due_at` integer,
	`sent_at` integer,
	PRIMARY KEY(`user_id`, `frequency`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `notification_settings` (
	`user_id` text NOT NULL,
	`topic` text NOT NULL,
	`page` integer NOT NULL,
	`push` integer NOT NULL,
	`mail` text NOT NULL,
	PRIMARY KEY(`user_id`, `topic`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `notifications` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`actor_id` text NOT NULL,
	`blog_id` text,
	`comment_id` text,
	`target` text NOT NULL,
	`created_at` integer NOT NULL,
	`read_at` integer,
	`read_through` integer,
	`first_comment` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`actor_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`blog_id`) REFERENCES `blogs`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`comment_id`) REFERENCES `comments`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `notifications_id_unique` ON `notifications` (`id`);--> statement-breakpoint
CREATE INDEX `notifications_user` ON `notifications` (`user_id`,`created_at`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `notifications_once` ON `notifications` (`user_id`,`kind`,`actor_id`,`target`);--> statement-breakpoint
CREATE INDEX `notifications_blog` ON `notifications` (`blog_id`);--> statement-breakpoint
CREATE INDEX `notifications_comment` ON `notifications` (`comment_id`);--> statement-breakpoint
CREATE INDEX `notifications_actor` ON `notifications` (`actor_id`);--> statement-breakpoint
CREATE INDEX `notifications_unread` ON `notifications` (`user_id`,`kind`,`target`,`blog_id`) WHERE read_at is null;--> statement-breakpoint
CREATE INDEX `notifications_age` ON `notifications` (`created_at`);--> statement-breakpoint
CREATE TABLE `push_subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`session` text NOT NULL,
	`endpoint` text NOT NULL,
	`p256dh` text NOT NULL,
	`auth` text NOT NULL,
	`displayed` text DEFAULT '[]' NOT NULL,
	`gone_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`session`) REFERENCES `sessions`(`handle`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `push_subscriptions_session_unique` ON `push_subscriptions` (`session`);--> statement-breakpoint
CREATE UNIQUE INDEX `push_subscriptions_endpoint_unique` ON `push_subscriptions` (`endpoint`);--> statement-breakpoint
CREATE INDEX `push_subscriptions_user` ON `push_subscriptions` (`user_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `live_events` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`topic` text NOT NULL,
	`event` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `live_events_topic` ON `live_events` (`topic`,`seq`);--> statement-breakpoint
CREATE INDEX `live_events_created` ON `live_events` (`created_at`);--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`payload` text NOT NULL,
	`due_at` integer NOT NULL,
	`leased_until` integer,
	`attempts` integer DEFAULT 0 NOT NULL,
	`last_error` text,
	`failed_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `jobs_due` ON `jobs` (`due_at`) WHERE failed_at is null;--> statement-breakpoint
CREATE INDEX `jobs_failed` ON `jobs` (`failed_at`) WHERE failed_at is not null;--> statement-breakpoint
CREATE TABLE `audit_log` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`actor_id` text NOT NULL,
	`actor` text NOT NULL,
	`act` text NOT NULL,
	`kind` text NOT NULL,
	`target` text NOT NULL,
	`name` text NOT NULL,
	`reason` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_log_target` ON `audit_log` (`target`);--> statement-breakpoint
CREATE TABLE `reports` (
	`id` text PRIMARY KEY NOT NULL,
	`reporter_id` text NOT NULL,
	`kind` text NOT NULL,
	`target` text NOT NULL,
	`owner_id` text NOT NULL,
	`blog_id` text,
	`comment_id` text,
	`reason` text NOT NULL,
	`body` text DEFAULT '' NOT NULL,
	`text` text DEFAULT '' NOT NULL,
	`beginning` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	`closed_at` integer,
	FOREIGN KEY (`reporter_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`blog_id`) REFERENCES `blogs`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`comment_id`) REFERENCES `comments`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `reports_open` ON `reports` (`created_at`,`target`) WHERE closed_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX `reports_once` ON `reports` (`target`,`reporter_id`) WHERE closed_at is null;--> statement-breakpoint
CREATE INDEX `reports_reporter` ON `reports` (`reporter_id`);--> statement-breakpoint
CREATE INDEX `reports_owner` ON `reports` (`owner_id`);--> statement-breakpoint
CREATE INDEX `reports_blog` ON `reports` (`blog_id`);--> statement-breakpoint
CREATE INDEX `reports_comment` ON `reports` (`comment_id`);--> statement-breakpoint
CREATE TABLE `staff_notes` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`author` text NOT NULL,
	`author_id` text,
	`body` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `staff_notes_of` ON `staff_notes` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `staff_notes_author` ON `staff_notes` (`author_id`);--> statement-breakpoint
CREATE TABLE `meta` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `site_texts` (
	`kind` text NOT NULL,
	`version` integer NOT NULL,
	`source` text NOT NULL,
	`rendered` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`kind`, `version`)
);
--> statement-breakpoint
CREATE TABLE `daily_counts` (
	`day` integer NOT NULL,
	`kind` text NOT NULL,
	`count` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`day`, `kind`)
);
--> statement-breakpoint
CREATE TABLE `quota_uses` (
	`day` integer NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`day`, `kind`, `subject`)
);
--> statement-breakpoint
-- Full-text search over published blogs and verified people. The tables keep no content: their rows are keyed by `seq`, and deleted by it.
CREATE VIRTUAL TABLE blog_words USING fts5(title, description, tags, text, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'", prefix='2 3');
--> statement-breakpoint
CREATE VIRTUAL TABLE people_words USING fts5(name, username, bio, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'", prefix='2 3');
--> statement-breakpoint
-- Pieces of three characters: for parts of words in titles and names, and for whole texts in scripts without spaces between words.
-- Each field ends in two spaces, so that its last characters begin a piece, too.
CREATE VIRTUAL TABLE blog_pieces USING fts5(title, description, tags, text, content='', contentless_delete=1, tokenize='trigram remove_diacritics 1');
--> statement-breakpoint
CREATE VIRTUAL TABLE people_pieces USING fts5(name, username, bio, content='', contentless_delete=1, tokenize='trigram remove_diacritics 1');
--> statement-breakpoint
-- One or two characters are looked up as the beginning of a piece.
CREATE VIRTUAL TABLE blog_piece_terms USING fts5vocab(blog_pieces, row);
--> statement-breakpoint
CREATE VIRTUAL TABLE people_piece_terms USING fts5vocab(people_pieces, row);
--> statement-breakpoint
-- Only for inserting: their triggers index a row. They name no table, so that a table can be rebuilt.
CREATE VIEW blog_indexing AS SELECT 0 AS seq, '' AS title, '' AS description, '[]' AS tags, '' AS text;
--> statement-breakpoint
-- `folded` is `fold` of src/shared/fold.ts, which src/server/database/sqlite/open.ts adds to each connection.
-- A tag is indexed as its words and as one: `web-development` is `webdevelopment` too.
-- The ranges are those of `spaceless` in src/server/database/search/words.ts: Thai to Burmese, Khmer, Chinese and Japanese, Korean.
CREATE TRIGGER blog_indexing_insert INSTEAD OF INSERT ON blog_indexing BEGIN
  INSERT INTO blog_words (rowid, title, description, tags, text) SELECT
    new.seq,
    folded(new.title),
    folded(new.description),
    (SELECT coalesce(group_concat(tag || ' ' || replace(replace(replace(tag, '-', ''), '.', ''), '_', ''), ' '), '')
      FROM (SELECT folded(value) AS tag FROM json_each(new.tags))),
    folded(new.text);
  INSERT INTO blog_pieces (rowid, title, description, tags, text) SELECT
    new.seq,
    folded(new.title) || '  ',
    folded(new.description) || '  ',
    (SELECT coalesce(group_concat(folded(value), ' '), '') || '  ' FROM json_each(new.tags)),
    CASE WHEN new.text GLOB '*[' || char(0x0e00, 45, 0x109f, 0x1780, 45, 0x17ff, 0x3005, 45, 0x9fff, 0xac00, 45, 0xd7af, 0xf900, 45, 0xfaff, 0xff66, 45, 0xff9f, 0x20000, 45, 0x3ffff) || ']*'
      THEN folded(new.text) || '  ' ELSE '' END;
END;
--> statement-breakpoint
CREATE VIEW people_indexing AS SELECT 0 AS seq, '' AS name, '' AS username, '' AS bio;
--> statement-breakpoint
CREATE TRIGGER people_indexing_insert INSTEAD OF INSERT ON people_indexing BEGIN
  INSERT INTO people_words (rowid, name, username, bio) SELECT
    new.seq,
    folded(new.name),
    new.username,
    folded(new.bio);
  INSERT INTO people_pieces (rowid, name, username, bio) SELECT
    new.seq,
    folded(new.name) || '  ',
    new.username || '  ',
    CASE WHEN new.bio GLOB '*[' || char(0x0e00, 45, 0x109f, 0x1780, 45, 0x17ff, 0x3005, 45, 0x9fff, 0xac00, 45, 0xd7af, 0xf900, 45, 0xfaff, 0xff66, 45, 0xff9f, 0x20000, 45, 0x3ffff) || ']*'
      THEN folded(new.bio) || '  ' ELSE '' END;
END;
--> statement-breakpoint
CREATE TRIGGER blogs_search_insert AFTER INSERT ON blogs WHEN new.draft = 0 BEGIN
  INSERT INTO blog_indexing VALUES (new.seq, new.title, new.description, new.tags, new.text);
END;
--> statement-breakpoint
CREATE TRIGGER blogs_search_delete AFTER DELETE ON blogs WHEN old.draft = 0 BEGIN
  DELETE FROM blog_words WHERE rowid = old.seq;
  DELETE FROM blog_pieces WHERE rowid = old.seq;
END;
--> statement-breakpoint
-- Likes and counts change a blog's row, too, and index nothing.
CREATE TRIGGER blogs_search_update AFTER UPDATE OF title, description, tags, text, draft ON blogs
WHEN (old.title, old.description, old.tags, old.text, old.draft) IS NOT (new.title, new.description, new.tags, new.text, new.draft) BEGIN
  DELETE FROM blog_words WHERE old.draft = 0 AND rowid = old.seq;
  DELETE FROM blog_pieces WHERE old.draft = 0 AND rowid = old.seq;
  INSERT INTO blog_indexing SELECT new.seq, new.title, new.description, new.tags, new.text WHERE new.draft = 0;
END;
--> statement-breakpoint
CREATE TRIGGER users_search_insert AFTER INSERT ON users WHEN new.verified_at IS NOT NULL BEGIN
  INSERT INTO people_indexing VALUES (new.seq, new.name, new.username, new.bio);
END;
--> statement-breakpoint
CREATE TRIGGER users_search_delete AFTER DELETE ON users WHEN old.verified_at IS NOT NULL BEGIN
  DELETE FROM people_words WHERE rowid = old.seq;
  DELETE FROM people_pieces WHERE rowid = old.seq;
END;
--> statement-breakpoint
CREATE TRIGGER users_search_update AFTER UPDATE OF name, username, bio, verified_at ON users
WHEN (old.name, old.username, old.bio, old.verified_at IS NULL) IS NOT (new.name, new.username, new.bio, new.verified_at IS NULL) BEGIN
  DELETE FROM people_words WHERE old.verified_at IS NOT NULL AND rowid = old.seq;
  DELETE FROM people_pieces WHERE old.verified_at IS NOT NULL AND rowid = old.seq;
  INSERT INTO people_indexing SELECT new.seq, new.name, new.username, new.bio WHERE new.verified_at IS NOT NULL;
END;
--> statement-breakpoint
-- Derived columns: whether everybody can read a blog, and an author's counts.
CREATE TRIGGER blogs_counted_insert AFTER INSERT ON blogs BEGIN
  UPDATE blogs SET is_public = 0 WHERE seq = new.seq
    AND (draft = 1 OR private = 1 OR EXISTS (SELECT 1 FROM users WHERE id = new.author_id
      AND (private = 1 OR suspended_at IS NOT NULL OR limited_at IS NOT NULL)));
  UPDATE users SET
    public_blogs = public_blogs + (new.draft = 0 AND new.private = 0),
    private_blogs = private_blogs + (new.draft = 0 AND new.private = 1),
    draft_blogs = draft_blogs + (new.draft = 1),
    likes_received = likes_received + new.likes_count,
    comments_received = comments_received + new.comments_count
  WHERE id = new.author_id;
END;
--> statement-breakpoint
CREATE TRIGGER blogs_counted_update AFTER UPDATE OF draft, private, likes_count, comments_count ON blogs
WHEN (old.draft, old.private, old.likes_count, old.comments_count) IS NOT (new.draft, new.private, new.likes_count, new.comments_count) BEGIN
  UPDATE blogs SET is_public = NOT is_public WHERE seq = new.seq AND (old.draft, old.private) IS NOT (new.draft, new.private)
    AND is_public <> (draft = 0 AND private = 0 AND NOT EXISTS (SELECT 1 FROM users WHERE id = new.author_id
      AND (private = 1 OR suspended_at IS NOT NULL OR limited_at IS NOT NULL)));
  UPDATE users SET
    public_blogs = public_blogs + (new.draft = 0 AND new.private = 0) - (old.draft = 0 AND old.private = 0),
    private_blogs = private_blogs + (new.draft = 0 AND new.private = 1) - (old.draft = 0 AND old.private = 1),
    draft_blogs = draft_blogs + (new.draft = 1) - (old.draft = 1),
    likes_received = likes_received + new.likes_count - old.likes_count,
    comments_received = comments_received + new.comments_count - old.comments_count
  WHERE id = new.author_id;
END;
--> statement-breakpoint
CREATE TRIGGER blogs_counted_delete AFTER DELETE ON blogs BEGIN
  UPDATE users SET
    public_blogs = public_blogs - (old.draft = 0 AND old.private = 0),
    private_blogs = private_blogs - (old.draft = 0 AND old.private = 1),
    draft_blogs = draft_blogs - (old.draft = 1),
    likes_received = likes_received - old.likes_count,
    comments_received = comments_received - old.comments_count
  WHERE id = old.author_id;
END;
--> statement-breakpoint
-- Accounts with many blogs would hold up all writes: `is_public` follows in small steps (src/server/accounts/visibility-sync.ts), and until
-- then lists read the accounts themselves.
CREATE TRIGGER users_private_update AFTER UPDATE OF private ON users WHEN old.private <> new.private BEGIN
  UPDATE users SET visibility_sync_pending = 1 WHERE seq = new.seq AND public_blogs > 0;
END;
--> statement-breakpoint
CREATE TRIGGER users_suspended_update AFTER UPDATE OF suspended_at ON users
WHEN (old.suspended_at IS NULL) <> (new.suspended_at IS NULL) BEGIN
  UPDATE users SET visibility_sync_pending = 1 WHERE seq = new.seq AND public_blogs > 0;
END;
--> statement-breakpoint
CREATE TRIGGER users_limited_update AFTER UPDATE OF limited_at ON users
WHEN (old.limited_at IS NULL) <> (new.limited_at IS NULL) BEGIN
  UPDATE users SET visibility_sync_pending = 1 WHERE seq = new.seq AND public_blogs > 0;
END;
--> statement-breakpoint
-- Tags of published blogs, read from the row: another trigger may have changed it.
CREATE TRIGGER blog_tags_insert AFTER INSERT ON blogs WHEN new.draft = 0 BEGIN
  INSERT INTO blog_tags (blog_seq, tag, author_id, is_public, likes_count, published_at)
  SELECT DISTINCT b.seq, t.value, b.author_id, b.is_public, b.likes_count, b.published_at
  FROM blogs b, json_each(b.tags) t WHERE b.seq = new.seq AND t.type = 'text';
END;
--> statement-breakpoint
CREATE TRIGGER blog_tags_update AFTER UPDATE OF tags, draft ON blogs WHEN (old.tags, old.draft) IS NOT (new.tags, new.draft) BEGIN
  DELETE FROM blog_tags WHERE blog_seq = new.seq;
  INSERT INTO blog_tags (blog_seq, tag, author_id, is_public, likes_count, published_at)
  SELECT DISTINCT b.seq, t.value, b.author_id, b.is_public, b.likes_count, b.published_at
  FROM blogs b, json_each(b.tags) t WHERE b.seq = new.seq AND b.draft = 0 AND t.type = 'text';
END;
--> statement-breakpoint
CREATE TRIGGER blog_tags_ranked AFTER UPDATE OF is_public, likes_count, published_at ON blogs
WHEN (old.is_public, old.likes_count, old.published_at) IS NOT (new.is_public, new.likes_count, new.published_at) BEGIN
  UPDATE blog_tags SET (is_public, likes_count, published_at) = (SELECT is_public, likes_count, published_at FROM blogs WHERE seq = new.seq)
  WHERE blog_seq = new.seq;
END;
--> statement-breakpoint
-- The columns by which a co-author's lists are paged and counted.
CREATE TRIGGER blog_authors_accepted AFTER UPDATE OF accepted_at ON blog_authors WHEN old.accepted_at IS NULL AND new.accepted_at IS NOT NULL BEGIN
  UPDATE blog_authors SET (draft, private, is_public, published_at) = (SELECT draft, private, is_public, published_at FROM blogs WHERE id = new.blog_id)
  WHERE blog_id = new.blog_id AND user_id = new.user_id;
END;
--> statement-breakpoint
CREATE TRIGGER blog_authors_inserted AFTER INSERT ON blog_authors WHEN new.accepted_at IS NOT NULL BEGIN
  UPDATE blog_authors SET (draft, private, is_public, published_at) = (SELECT draft, private, is_public, published_at FROM blogs WHERE id = new.blog_id)
  WHERE blog_id = new.blog_id AND user_id = new.user_id;
END;
--> statement-breakpoint
CREATE TRIGGER blog_authors_marked AFTER UPDATE OF draft, private, is_public, published_at ON blogs
WHEN (old.draft, old.private, old.is_public, old.published_at) IS NOT (new.draft, new.private, new.is_public, new.published_at) BEGIN
  UPDATE blog_authors SET (draft, private, is_public, published_at) = (SELECT draft, private, is_public, published_at FROM blogs WHERE seq = new.seq)
  WHERE blog_id = new.id AND accepted_at IS NOT NULL;
END;
--> statement-breakpoint
CREATE TRIGGER blog_authors_counted AFTER UPDATE OF is_public ON blog_authors WHEN old.is_public <> new.is_public BEGIN
  UPDATE users SET shared_blogs = shared_blogs + new.is_public - old.is_public WHERE id = new.user_id;
END;
--> statement-breakpoint
CREATE TRIGGER blog_authors_counted_delete AFTER DELETE ON blog_authors WHEN old.is_public = 1 BEGIN
  UPDATE users SET shared_blogs = shared_blogs - 1 WHERE id = old.user_id;
END;
--> statement-breakpoint
-- Counts a day. A finished job is deleted; one without an email stands for what an unknown address does not get.
CREATE TRIGGER daily_counts_person_added AFTER INSERT ON users WHEN new.verified_at IS NOT NULL BEGIN
  INSERT INTO daily_counts (day, kind, count) VALUES (unixepoch() / 86400, 'people', 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;
--> statement-breakpoint
CREATE TRIGGER daily_counts_person_confirmed AFTER UPDATE OF verified_at ON users WHEN old.verified_at IS NULL AND new.verified_at IS NOT NULL BEGIN
  INSERT INTO daily_counts (day, kind, count) VALUES (unixepoch() / 86400, 'people', 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;
--> statement-breakpoint
CREATE TRIGGER daily_counts_blog AFTER INSERT ON blogs BEGIN
  INSERT INTO daily_counts (day, kind, count) VALUES (unixepoch() / 86400, 'blogs', 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;
--> statement-breakpoint
CREATE TRIGGER daily_counts_comment AFTER INSERT ON comments BEGIN
  INSERT INTO daily_counts (day, kind, count) VALUES (unixepoch() / 86400, 'comments', 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;
--> statement-breakpoint
CREATE TRIGGER daily_counts_picture_added AFTER INSERT ON media BEGIN
  INSERT INTO daily_counts (day, kind, count) VALUES (unixepoch() / 86400, 'bytes', new.bytes) ON CONFLICT DO UPDATE SET count = count + excluded.count;
END;
--> statement-breakpoint
CREATE TRIGGER daily_counts_picture_gone AFTER DELETE ON media BEGIN
  INSERT INTO daily_counts (day, kind, count) VALUES (unixepoch() / 86400, 'bytes', -old.bytes) ON CONFLICT DO UPDATE SET count = count + excluded.count;
END;
--> statement-breakpoint
CREATE TRIGGER daily_counts_mail_sent AFTER DELETE ON jobs WHEN old.name = 'mail' AND old.failed_at IS NULL AND old.payload ->> '$.mail' IS NOT NULL BEGIN
  INSERT INTO daily_counts (day, kind, count) VALUES (unixepoch() / 86400, 'mails', 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;
--> statement-breakpoint
CREATE TRIGGER daily_counts_mail_failed AFTER UPDATE OF failed_at ON jobs WHEN new.name = 'mail' AND old.failed_at IS NULL AND new.failed_at IS NOT NULL BEGIN
  INSERT INTO daily_counts (day, kind, count) VALUES (unixepoch() / 86400, 'mails-failed', 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;
--> statement-breakpoint
CREATE TRIGGER daily_counts_notification_email_sent AFTER UPDATE OF sent_at ON notification_emails WHEN new.sent_at IS NOT NULL AND new.sent_at IS NOT old.sent_at BEGIN
  INSERT INTO daily_counts (day, kind, count) VALUES (unixepoch() / 86400, 'mails', 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;
--> statement-breakpoint
CREATE TRIGGER daily_counts_notification_email_failed AFTER UPDATE OF failed_at ON jobs WHEN new.name = 'notification-email' AND old.failed_at IS NULL AND new.failed_at IS NOT NULL BEGIN
  INSERT INTO daily_counts (day, kind, count) VALUES (unixepoch() / 86400, 'mails-failed', 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;
--> statement-breakpoint
-- No program changes or deletes what moderators did. With its target go the name, and of a person the reason.
CREATE TRIGGER audit_log_undeleted BEFORE DELETE ON audit_log BEGIN
  SELECT RAISE(ABORT, 'What moderators did is not deleted.');
END;
--> statement-breakpoint
CREATE TRIGGER audit_log_unchanged BEFORE UPDATE ON audit_log
WHEN (new.seq, new.at, new.actor_id, new.actor, new.act, new.kind, new.target, new.name)
  IS NOT (old.seq, old.at, old.actor_id, old.actor, old.act, old.kind, old.target, '')
OR new.reason IS NOT CASE old.kind WHEN 'profile' THEN '' ELSE old.reason END
OR CASE old.kind
  WHEN 'blog' THEN EXISTS (SELECT 1 FROM blogs WHERE id = old.target)
  WHEN 'comment' THEN EXISTS (SELECT 1 FROM comments WHERE id = old.target AND deleted_at IS NULL)
    OR EXISTS (SELECT 1 FROM pending_comments WHERE id = old.target)
  WHEN 'profile' THEN EXISTS (SELECT 1 FROM users WHERE id = old.target)
  ELSE 1
END
BEGIN
  SELECT RAISE(ABORT, 'What moderators did is not changed afterwards.');
END;
--> statement-breakpoint
CREATE TRIGGER audit_log_blog_deleted AFTER DELETE ON blogs BEGIN
  UPDATE audit_log SET name = '' WHERE target = old.id AND kind = 'blog';
END;
--> statement-breakpoint
CREATE TRIGGER audit_log_comment_deleted AFTER DELETE ON comments BEGIN
  UPDATE audit_log SET name = '' WHERE target = old.id AND kind = 'comment';
END;
--> statement-breakpoint
CREATE TRIGGER audit_log_comment_emptied AFTER UPDATE OF deleted_at ON comments
WHEN new.deleted_at IS NOT NULL AND old.deleted_at IS NULL BEGIN
  UPDATE audit_log SET name = '' WHERE target = new.id AND kind = 'comment';
END;
--> statement-breakpoint
CREATE TRIGGER audit_log_pending_comment_deleted AFTER DELETE ON pending_comments
WHEN NOT EXISTS (SELECT 1 FROM comments WHERE id = old.id) BEGIN
  UPDATE audit_log SET name = '' WHERE target = old.id AND kind = 'comment';
END;
--> statement-breakpoint
CREATE TRIGGER audit_log_person_deleted AFTER DELETE ON users BEGIN
  UPDATE audit_log SET name = '', reason = '' WHERE target = old.id AND kind = 'profile';
END;
