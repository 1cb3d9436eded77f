import { newId } from "../../src/server/runtime/ids.ts";
import { entryOrders } from "../../src/shared/entries.ts";
import { paragraphs } from "../support/sample-content.ts";
import type { EntryAction } from "./entry-generator.ts";
import { blogId, required } from "./objects.ts";
import { markedText, type Actor, type World } from "./world.ts";

type ActionOf<Kind extends EntryAction["kind"]> = Extract<EntryAction, { kind: Kind }> & { by: number };

/** Returns the id of an entry of the plan, which its title begins with; a withdrawn one is known from before. */
export async function entryId(
  world: World,
  { by, blog, entry }: { by: number; blog: number; entry: number },
): Promise<string> {
  const known = world.entryIds.get(entry);
  if (known !== undefined) return known;
  const { api } = world.people[by]!.client;
  for (const order of entryOrders) {
    const { entries } = await api.blogs.entries.query({ blogId: blogId(world, blog), order });
    const found = entries.find(({ title }) => title.startsWith(markedText(entry, "")));
    if (!found) continue;
    world.entryIds.set(entry, found.id);
    return found.id;
  }
  return required<string>(undefined);
}

/** What an entry says: its number and its word in the title, the word again in the text. */
const contentOf = ({ entry, value, isKey }: { entry: number; value: string; isKey: boolean }) => ({
  title: markedText(entry, value),
  document: paragraphs(`Of ${value}.`),
  isKey,
});

/** How an API client performs what people do in live blogs. */
export const entryActions: {
  [Kind in EntryAction["kind"]]: (act: ActionOf<Kind>, actor: Actor, world: World) => Promise<unknown>;
} = {
  "on air": ({ blog, on }, { client }, world) =>
    client.api.blogs.setLive.mutate({ id: blogId(world, blog), live: on }),
  "post entry": (act, { client }, world) => {
    const place = { blogId: blogId(world, act.blog) };
    // Set before the request: a response may be lost, and the request is sent again.
    if (!world.entryIds.has(act.entry)) world.entryIds.set(act.entry, newId());
    return client.api.blogs.postEntry.mutate({
      ...contentOf(act),
      ...place,
      id: world.entryIds.get(act.entry)!,
    });
  },
  "edit entry": async (act, { client }, world) => {
    const { minutesAgo } = act;
    const at = minutesAgo === null ? {} : { at: new Date(Date.now() - 60_000 * minutesAgo).toISOString() };
    const id = await entryId(world, act);
    return client.api.blogs.editEntry.mutate({ id, ...contentOf(act), ...at });
  },
  "withdraw entry": async (act, { client }, world) =>
    client.api.blogs.withdrawEntry.mutate({ id: await entryId(world, act), withdrawn: act.on }),
  "like entry": async (act, { client }, world) =>
    client.api.blogs.likeEntry.mutate({ id: await entryId(world, act), liked: act.on }),
  summary: ({ blog, value }, { client }, world) =>
    client.api.blogs.setSummary.mutate({ id: blogId(world, blog), summary: [`First ${value}`, "And more."] }),
};
