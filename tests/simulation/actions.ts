import { password } from "../support/browser.ts";
import { upload } from "../support/pictures.ts";
import { aBlog, aComment, paragraphs } from "../support/sample-content.ts";
import type { Act } from "./generator.ts";
import { draftActions } from "./draft-actions.ts";
import { entryActions } from "./entry-actions.ts";
import { blogId, NotApplicable, required } from "./objects.ts";
import { markedText, type Actor, type World } from "./world.ts";

export type Action = Extract<Act, { by: number }>;
type ActionOf<Kind extends Action["kind"]> = Extract<Action, { kind: Kind }>;

/** Returns the id of a comment of the plan, found by its first words. */
export async function commentId(
  world: World,
  act: { by: number; blog: number },
  comment: number,
): Promise<string> {
  const list = { blogId: blogId(world, act.blog) };
  const { comments } = await world.people[act.by]!.client.api.comments.list.query(list);
  return required(comments.find(({ text }) => text.startsWith(markedText(comment, "")))).id;
}

type Handlers = {
  [Kind in Action["kind"]]: (act: ActionOf<Kind>, actor: Actor, world: World) => Promise<unknown>;
};

/** Saves a change of the current version, as from a form that was opened a moment ago. */
async function saveBlog(world: World, { client }: Actor, blog: number, fields: object): Promise<void> {
  const id = blogId(world, blog);
  const { slug } = await client.api.blogs.card.query({ id });
  const { etag } = await client.api.blogs.forEdit.query({ slug });
  await client.api.blogs.update.mutate({ id, etag, ...fields });
}
const blogChange =
  (fieldsOf: (value: string) => object) =>
  ({ blog, value }: { blog: number; value: string }, actor: Actor, world: World) =>
    saveBlog(world, actor, blog, fieldsOf(value));
const changeTitle = blogChange((value) => ({ title: value }));

async function answerRequest(
  { kind }: ActionOf<"accept" | "reject">,
  { client }: Actor,
  { rejected }: World,
): Promise<void> {
  const { requests } = await client.api.social.requests.query();
  const { id } = required(requests.at(-1));
  await client.api.social.handleRequest.mutate({ requesterId: id, action: kind });
  if (kind === "reject") rejected.push(id);
}

async function answerPending(
  { kind, blog }: ActionOf<"approve" | "refuse">,
  { client }: Actor,
  world: World,
): Promise<void> {
  const { pending } = await client.api.comments.list.query({ blogId: blogId(world, blog) });
  const { id } = required(pending?.[0]);
  const { comments } = client.api;
  await (kind === "approve" ? comments.approve : comments.remove).mutate({ id });
}

/** How an API client performs every action. */
export const clientActions: Handlers = {
  ...draftActions,
  ...entryActions,
  publish: async ({ blog, by, title: value, as, hasCover }, { client }, world) => {
    const newBlog = aBlog({
      title: value,
      tags: [value.split(" ")[0]!],
      document: paragraphs(`${value}, as it was written.`),
      coverId: hasCover ? (await upload(client)).id : null,
      draft: as === "draft",
      private: as === "private",
    });
    // Set before the request: if the response is lost, others can still use the blog.
    world.blogs[blog] = { id: newBlog.id, by };
    await client.api.blogs.create.mutate(newBlog);
  },
  title: changeTitle,
  "title in the form": changeTitle,
  description: blogChange((value) => ({ description: `About ${value}.` })),
  text: blogChange((value) => ({ document: paragraphs(`Of ${value}, anew.`, "And more.") })),
  tags: blogChange((value) => ({ tags: value.split(" ") })),
  cover: async ({ blog, on }, actor, world) =>
    saveBlog(world, actor, blog, { coverId: on ? (await upload(actor.client)).id : null }),
  visibility: ({ blog, as }, actor, world) =>
    saveBlog(world, actor, blog, { draft: as === "draft", private: as === "private" }),
  restore: async ({ blog }, actor, world) => {
    const id = blogId(world, blog);
    const { versions } = await actor.client.api.blogs.versions.query({ id });
    const version = required(versions[1]).id;
    const { title, description, tags, cover, document } = await actor.client.api.blogs.version.query({
      id,
      version,
    });
    const versionFields = { title, description, tags, document, coverId: cover?.id ?? null };
    await saveBlog(world, actor, blog, { ...versionFields, restores: version });
  },
  "publish later": ({ blog, seconds }, actor, world) => {
    const at = new Date(Date.now() + 1_000 * seconds).toISOString();
    return saveBlog(world, actor, blog, { draft: true, schedule: { at, zone: "UTC" } });
  },
  "delete blog": ({ blog }, { client }, world) => client.api.blogs.remove.mutate({ id: blogId(world, blog) }),
  comment: ({ blog, comment, value }, { client }, world) =>
    client.api.comments.create.mutate(
      aComment({ id: blogId(world, blog) }, { text: markedText(comment, value) }),
    ),
  reply: async (act, { client }, world) =>
    client.api.comments.create.mutate(
      aComment(
        { id: blogId(world, act.blog) },
        { text: markedText(act.comment, act.value), parentId: await commentId(world, act, act.to) },
      ),
    ),
  "edit comment": async (act, { client }, world) =>
    client.api.comments.edit.mutate({
      id: await commentId(world, act, act.comment),
      text: markedText(act.comment, act.value),
    }),
  "delete comment": async (act, { client }, world) =>
    client.api.comments.remove.mutate({ id: await commentId(world, act, act.comment) }),
  "like comment": async (act, { client }, world) =>
    client.api.comments.like.mutate({ id: await commentId(world, act, act.comment), liked: act.on }),
  "mark comment": async (act, { client }, world) =>
    client.api.comments.mark.mutate({ id: await commentId(world, act, act.comment), mark: act.mark }),
  "who comments": ({ blog, from }, { client }, world) =>
    client.api.blogs.setCommenters.mutate({ id: blogId(world, blog), commentsFrom: from }),
  approve: answerPending,
  refuse: answerPending,
  block: ({ person, on }, { client }, { people }) =>
    client.api.social.block.mutate({ userId: people[person]!.id, blocked: on }),
  mute: ({ person, on }, { client }, { people }) =>
    client.api.social.mute.mutate({ userId: people[person]!.id, muted: on }),
  suspend: ({ person, on }, { client }, { people }) =>
    client.api.moderation.suspend.mutate({ userId: people[person]!.id, suspended: on, reason: "Spam." }),
  watch: ({ blog, level }, { client }, world) =>
    client.api.social.setSubscription.mutate({ blogId: blogId(world, blog), level }),
  told: ({ of: topic, on }, { client }) =>
    client.api.social.setNotificationChannels.mutate({ topic, page: on }),
  like: ({ blog, on }, { client }, world) =>
    client.api.social.likeBlog.mutate({ blogId: blogId(world, blog), liked: on }),
  save: ({ blog, on }, { client }, world) =>
    client.api.social.saveBlog.mutate({ blogId: blogId(world, blog), saved: on }),
  follow: ({ person, on }, { client }, { people }) =>
    client.api.social.follow.mutate({ userId: people[person]!.id, follow: on }),
  accept: answerRequest,
  reject: answerRequest,
  "put back": async (_, { client }, { rejected }) =>
    client.api.social.restoreRequest.mutate({ userId: required(rejected.at(-1)) }),
  "remove follower": async (_, { client }) => {
    const { username } = required(await client.api.users.me.query());
    const { people } = await client.api.social.people.query({ username, list: "followers" });
    await client.api.social.removeFollower.mutate({ userId: required(people[0]).id });
  },
  name: ({ value }, { client }) => client.api.users.updateProfile.mutate({ name: value }),
  username: ({ value }, { client }) => client.api.users.updateProfile.mutate({ username: value }),
  bio: ({ value }, { client }) => client.api.users.updateProfile.mutate({ bio: value }),
  picture: async ({ on }, { client }) =>
    client.api.users.updateProfile.mutate({ pictureId: on ? (await upload(client)).id : null }),
  "private account": ({ on }, { client }) => client.api.users.updateSettings.mutate({ private: on }),
  show: ({ what, on }, { client }) => client.api.users.updateSettings.mutate({ [what]: on }),
  interests: ({ value }, { client }) => client.api.users.updateSettings.mutate({ interests: [value] }),
  "follow tag": async ({ tag, on }, { client }) => {
    const { interests } = required(await client.api.users.me.query());
    const otherInterests = interests.filter((interest) => interest !== tag);
    await client.api.users.updateSettings.mutate({
      interests: on ? [...otherInterests, tag] : otherInterests,
    });
  },
  "read notifications": (_, { client }) => client.api.social.readNotifications.mutate({}),
  "delete account": (_, { client }) => client.api.users.remove.mutate({ password }),
  // API clients have a session of their own; windows sign out and in.
  "sign out": () => Promise.reject(new NotApplicable("no window to sign out in")),
  "sign in": () => Promise.reject(new NotApplicable("no window to sign in")),
};

export const isRefusal = (error: unknown): error is Error =>
  error instanceof Error && Boolean((error as { data?: { code?: string } }).data?.code);
/** Whether the server is down, or stopped while it answered. */
const isLost = (error: unknown): boolean =>
  error instanceof Error && (error.name === "TRPCClientError" || error.message === "fetch failed");

/** Performs an action, with retries while the server does not respond. Returns the result in words. */
export async function performByClient(act: Action, world: World): Promise<string> {
  const actor = world.people[act.by]!;
  const deadline = Date.now() + 30_000;
  for (;;) {
    try {
      await (clientActions[act.kind] as (act: Action, actor: Actor, world: World) => Promise<unknown>)(
        act,
        actor,
        world,
      );
      return "done";
    } catch (error) {
      if (error instanceof NotApplicable) return error.message;
      if (isRefusal(error)) return `refused: ${error.message}`;
      if (!isLost(error) || Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
