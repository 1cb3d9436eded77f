import { Node } from "prosemirror-model";
import { Transform } from "prosemirror-transform";
import { newId } from "../../src/server/runtime/ids.ts";
import { schema } from "../../src/shared/document/schema.ts";
import { stepBetween } from "../../src/shared/document/steps.ts";
import type { DraftFields } from "../../src/shared/drafts.ts";
import { aCommit } from "../support/sample-content.ts";
import type { DraftAction } from "./draft-generator.ts";
import { blogId, required } from "./objects.ts";
import type { Actor, World } from "./world.ts";

type ActionOf<Kind extends DraftAction["kind"]> = Extract<DraftAction, { kind: Kind }> & { by: number };

/** Commits a change of a text as it is now, as a page does: again, upon what came first. */
async function commit(
  { client }: Actor,
  id: string,
  change: (fields: DraftFields, document: Node) => { next?: Node; fields?: Partial<DraftFields> },
): Promise<void> {
  const page = { client: newId(), number: 1 };
  for (;;) {
    const draft = await client.api.blogs.openDraft.mutate({ id });
    const document = Node.fromJSON(schema, draft.document);
    const { next = document, fields = {} } = change(draft.fields, document);
    const { seq, epoch } = draft;
    const steps = JSON.stringify([stepBetween(document, next)].filter(Boolean));
    const request = aCommit(id, { ...page, seq, steps, fields });
    const { kind } = await client.api.blogs.pushCommit.mutate({ ...request, epoch });
    if (kind === "stored") return;
  }
}

/** How an API client performs what people do in drafts. */
export const draftActions: {
  [Kind in DraftAction["kind"]]: (act: ActionOf<Kind>, actor: Actor, world: World) => Promise<unknown>;
} = {
  begin: async ({ blog, by }, { client }, world) => {
    const { id } = (world.blogs[blog] ??= { id: world.beginningIds[blog] ?? newId(), by });
    await client.api.blogs.begin.mutate({ id });
  },
  write: ({ blog, in: place, value }, actor, world) =>
    commit(actor, blogId(world, blog), ({ title, tags }, document) => {
      if (place === "title") return { fields: { title: `${value} ${title}`.slice(0, 60) } };
      if (place === "tags") return { fields: { tags: [value, ...tags].slice(0, 3) } };
      if (place === "description") return { fields: { description: `About ${value}.` } };
      return { next: new Transform(document).insert(0, textBlock(`Of ${value}.`)).doc };
    }),
  "publish the draft": ({ blog }, { client }, world) =>
    client.api.blogs.publish.mutate({ id: blogId(world, blog), draft: false }),
  "save as a draft": ({ blog, seconds }, { client }, world) => {
    const at = new Date(Date.now() + 1_000 * (seconds ?? 0)).toISOString();
    const schedule = seconds === null ? null : { at, zone: "UTC" };
    return client.api.blogs.publish.mutate({ id: blogId(world, blog), draft: true, schedule });
  },
  "discard the draft": ({ blog }, { client }, world) =>
    client.api.blogs.discardDraft.mutate({ id: blogId(world, blog) }),
  "restore in the draft": async ({ blog }, actor, world) => {
    const id = blogId(world, blog);
    const { versions } = await actor.client.api.blogs.versions.query({ id });
    const version = required(versions.at(-1)).id;
    const { document, cover, title, description, tags } = await actor.client.api.blogs.version.query({
      id,
      version,
    });
    const fields = { title, description, tags, coverId: cover?.id ?? null, restores: version };
    await commit(actor, id, () => ({ next: Node.fromJSON(schema, document), fields }));
  },
  share: async ({ blog, person, on }, { client }, world) => {
    const [id, guest] = [blogId(world, blog), world.people[person]!];
    if (!on) return client.api.blogs.removeAuthor.mutate({ id, userId: guest.id });
    const { username } = required(await guest.client.api.users.me.query());
    await client.api.blogs.inviteAuthor.mutate({ id, username });
    return guest.client.api.blogs.answerInvitation.mutate({ id, accept: true });
  },
};

const textBlock = (text: string): Node => schema.nodes.paragraph.create(null, schema.text(text));
