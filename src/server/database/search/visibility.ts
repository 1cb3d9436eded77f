/* Which matches of a search the viewer can read, as SQL of both stores with the parameter `@viewer`. */

const follow = "exists (select 1 from follows where follower_id = @viewer and followed_id = b.author_id)";
const shared = `(exists (select 1 from blog_authors where user_id = @viewer and accepted_at is not null)
  and exists (select 1 from blog_authors where blog_id = b.id and user_id = @viewer and accepted_at is not null))`;
const isVisibleTo = (person: string) =>
  `(not exists (select 1 from blocks where viewer_id = @viewer)
    or not exists (select 1 from blocks where viewer_id = @viewer and other_id = ${person}))
  and (not exists (select 1 from users where id > '' and suspended_at is not null)
    or not exists (select 1 from users suspended_user where suspended_user.id = ${person} and suspended_user.suspended_at is not null))
  and (not exists (select 1 from users where id > '' and limited_at is not null)
    or not exists (select 1 from users limited_user where limited_user.id = ${person} and limited_user.limited_at is not null
      and limited_user.id <> coalesce(@viewer, '')
      and not exists (select 1 from follows where follower_id = @viewer and followed_id = limited_user.id)))`;
const unmuted = `(not exists (select 1 from mutes where owner_id = @viewer)
  or not exists (select 1 from mutes where owner_id = @viewer and muted_id = b.author_id))`;

/** Of a person in `users`. */
export const isPersonReadable = isVisibleTo("users.id");

/** Of a blog `b`: by its own row, which an index has. */
export const isReadableByIndex = `b.draft = 0 and (b.is_public = 1 or b.author_id = @viewer or ${follow} or ${shared}) and ${isVisibleTo("b.author_id")} and ${unmuted}`;

/** Of a blog `b` of an account `u`, for while accounts' visibility is being synced to their blogs. */
export const isReadableByAccount = `b.draft = 0 and (b.author_id = @viewer or (b.private = 0 and u.private = 0) or ${follow} or ${shared}) and ${isVisibleTo("b.author_id")} and ${unmuted}`;

/** Finds one if accounts' visibility is being synced. */
export const unsyncedAccount = "select 1 from users where visibility_sync_pending = 1 limit 1";
