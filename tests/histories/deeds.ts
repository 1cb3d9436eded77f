import { password } from "../support/browser.ts";
import { upload } from "../support/pictures.ts";
import { aBlog, aComment, paragraphs } from "../support/writing.ts";
import type { Act } from "./plan.ts";
import { marked, type Actor, type Scene } from "./scene.ts";

/** An act of somebody's. */
export type Deed = Extract<Act, { by: number }>;
type Of<Kind extends Deed["kind"]> = Extract<Deed, { kind: Kind }>;

/** Why an act came to nothing: what it is about is gone, or nobody is waiting. */
export class Nothing extends Error {}

const found = <T>(value: T | undefined | null): T => {
  if (value === undefined || value === null) throw new Nothing("there is no such thing");
  return value;
};

/** The blog's id; not there where its publishing came to nothing. */
export const blogId = (scene: Scene, blog: number): string => found(scene.blogs[blog]).id;

/** The id of a comment of the plan: it is known by its first words. */
export async function commentId(
  scene: Scene,
  act: { by: number; blog: number },
  comment: number,
): Promise<string> {
  const list = { blogId: blogId(scene, act.blog) };
  const { comments } = await scene.people[act.by]!.client.api.comments.list.query(list);
  return found(comments.find(({ text }) => text.startsWith(marked(comment, "")))).id;
}

type Doing = { [Kind in Deed["kind"]]: (act: Of<Kind>, actor: Actor, scene: Scene) => Promise<unknown> };

/** Saves a change on what stands there now, as a form that was opened a moment ago. */
async function save(scene: Scene, { client }: Actor, blog: number, fields: object): Promise<void> {
  const id = blogId(scene, blog);
  const { slug } = await client.api.blogs.card.query({ id });
  const { version } = await client.api.blogs.forEdit.query({ slug });
  await client.api.blogs.update.mutate({ id, version, ...fields });
}
const change =
  (of: (value: string) => object) =>
  ({ blog, value }: { blog: number; value: string }, actor: Actor, scene: Scene) =>
    save(scene, actor, blog, of(value));
const title = change((value) => ({ title: value }));

async function answer(
  { kind }: Of<"accept" | "reject">,
  { client }: Actor,
  { rejected }: Scene,
): Promise<void> {
  const { requests } = await client.api.social.requests.query();
  const { id } = found(requests.at(-1));
  await client.api.social.handleRequest.mutate({ requesterId: id, action: kind });
  if (kind === "reject") rejected.push(id);
}

async function answerHeld(
  { kind, blog }: Of<"approve" | "refuse">,
  { client }: Actor,
  scene: Scene,
): Promise<void> {
  const { pending } = await client.api.comments.list.query({ blogId: blogId(scene, blog) });
  const { id } = found(pending?.[0]);
  const { comments } = client.api;
  await (kind === "approve" ? comments.approve : comments.remove).mutate({ id });
}

/** How a light client does everything that there is to do. */
export const deeds: Doing = {
  publish: async ({ blog, by, title: value, as, hasCover }, { client }, scene) => {
    const made = aBlog({
      title: value,
      tags: [value.split(" ")[0]!],
      document: paragraphs(`${value}, as it was written.`),
      coverId: hasCover ? (await upload(client)).id : null,
      draft: as === "draft",
      private: as === "private",
    });
    // It is known from here on, so that nobody asks for it in vain where the answer gets lost.
    scene.blogs[blog] = { id: made.id, by };
    await client.api.blogs.create.mutate(made);
  },
  title,
  "title in the form": title,
  description: change((value) => ({ description: `About ${value}.` })),
  text: change((value) => ({ document: paragraphs(`Of ${value}, anew.`, "And more.") })),
  tags: change((value) => ({ tags: value.split(" ") })),
  cover: async ({ blog, on }, actor, scene) =>
    save(scene, actor, blog, { coverId: on ? (await upload(actor.client)).id : null }),
  visibility: ({ blog, as }, actor, scene) =>
    save(scene, actor, blog, { draft: as === "draft", private: as === "private" }),
  restore: async ({ blog }, actor, scene) => {
    const id = blogId(scene, blog);
    const { revisions } = await actor.client.api.blogs.revisions.query({ id });
    const revision = found(revisions[1]).id;
    const {
      title: before,
      description,
      tags,
      cover,
      document,
    } = await actor.client.api.blogs.revision.query({ id, revision });
    const said = { title: before, description, tags, document, coverId: cover?.id ?? null };
    await save(scene, actor, blog, { ...said, restores: revision });
  },
  "publish later": ({ blog, seconds }, actor, scene) => {
    const at = new Date(Date.now() + 1_000 * seconds).toISOString();
    return save(scene, actor, blog, { draft: true, schedule: { at, zone: "UTC" } });
  },
  "delete blog": ({ blog }, { client }, scene) => client.api.blogs.remove.mutate({ id: blogId(scene, blog) }),
  comment: ({ blog, comment, value }, { client }, scene) =>
    client.api.comments.create.mutate(
      aComment({ id: blogId(scene, blog) }, { text: marked(comment, value) }),
    ),
  reply: async (act, { client }, scene) =>
    client.api.comments.create.mutate(
      aComment(
        { id: blogId(scene, act.blog) },
        { text: marked(act.comment, act.value), parentId: await commentId(scene, act, act.to) },
      ),
    ),
  "edit comment": async (act, { client }, scene) =>
    client.api.comments.edit.mutate({
      id: await commentId(scene, act, act.comment),
      text: marked(act.comment, act.value),
    }),
  "delete comment": async (act, { client }, scene) =>
    client.api.comments.remove.mutate({ id: await commentId(scene, act, act.comment) }),
  "like comment": async (act, { client }, scene) =>
    client.api.comments.like.mutate({ id: await commentId(scene, act, act.comment), liked: act.on }),
  "mark comment": async (act, { client }, scene) =>
    client.api.comments.mark.mutate({ id: await commentId(scene, act, act.comment), mark: act.mark }),
  "who comments": ({ blog, from }, { client }, scene) =>
    client.api.blogs.setCommenters.mutate({ id: blogId(scene, blog), commentsFrom: from }),
  approve: answerHeld,
  refuse: answerHeld,
  block: ({ person, on }, { client }, { people }) =>
    client.api.social.block.mutate({ userId: people[person]!.id, blocked: on }),
  mute: ({ person, on }, { client }, { people }) =>
    client.api.social.mute.mutate({ userId: people[person]!.id, muted: on }),
  suspend: ({ person, on }, { client }, { people }) =>
    client.api.moderation.suspend.mutate({ userId: people[person]!.id, suspended: on }),
  watch: ({ blog, way }, { client }, scene) =>
    client.api.social.setSubscription.mutate({ blogId: blogId(scene, blog), way }),
  told: ({ of, on }, { client }) => client.api.social.setNotificationChannels.mutate({ topic: of, page: on }),
  like: ({ blog, on }, { client }, scene) =>
    client.api.social.likeBlog.mutate({ blogId: blogId(scene, blog), liked: on }),
  save: ({ blog, on }, { client }, scene) =>
    client.api.social.saveBlog.mutate({ blogId: blogId(scene, blog), saved: on }),
  follow: ({ person, on }, { client }, { people }) =>
    client.api.social.follow.mutate({ userId: people[person]!.id, follow: on }),
  accept: answer,
  reject: answer,
  "put back": async (_, { client }, { rejected }) =>
    client.api.social.restoreRequest.mutate({ userId: found(rejected.at(-1)) }),
  "remove follower": async (_, { client }) => {
    const { username } = found(await client.api.users.me.query());
    const { people } = await client.api.social.people.query({ username, list: "followers" });
    await client.api.social.removeFollower.mutate({ userId: found(people[0]).id });
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
    const { interests } = found(await client.api.users.me.query());
    const others = interests.filter((interest) => interest !== tag);
    await client.api.users.updateSettings.mutate({ interests: on ? [...others, tag] : others });
  },
  "read notifications": (_, { client }) => client.api.social.readNotifications.mutate({}),
  "delete account": (_, { client }) => client.api.users.remove.mutate({ password }),
  // A light client has a session of its own: this is for windows.
  "sign out": () => Promise.reject(new Nothing("no window to sign out in")),
  "sign in": () => Promise.reject(new Nothing("no window to sign in")),
};

const isRefusal = (error: unknown): error is Error =>
  error instanceof Error && Boolean((error as { data?: { code?: string } }).data?.code);
/** The server is away, or went while it answered. */
const isLost = (error: unknown): boolean =>
  error instanceof Error && (error.name === "TRPCClientError" || error.message === "fetch failed");

/** Does it, again and again while the server does not answer. Says what came of it. */
export async function doByClient(act: Deed, scene: Scene): Promise<string> {
  const actor = scene.people[act.by]!;
  const end = Date.now() + 30_000;
  for (;;) {
    try {
      await (deeds[act.kind] as (act: Deed, actor: Actor, scene: Scene) => Promise<unknown>)(
        act,
        actor,
        scene,
      );
      return "done";
    } catch (error) {
      if (error instanceof Nothing) return error.message;
      if (isRefusal(error)) return `refused: ${error.message}`;
      if (!isLost(error) || Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
