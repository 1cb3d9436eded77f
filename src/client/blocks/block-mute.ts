import type { Person } from "../../shared/users.ts";
import { liveQuery } from "../live/queries/live-query.ts";
import { mutate, registerLiveQueries } from "../live/live.ts";
import type { Mutation, MutationContext } from "../live/mutations/optimistic-mutations.ts";
import { confirm } from "../ui/confirm.tsx";
import { toastWithUndo } from "../ui/toasts.tsx";

// A block or a mute makes pages refetch everything they show: there is nothing to show before the answer.
const list = liveQuery({ topics: () => ["me"], on: {} });
registerLiveQueries({ "social.blocked": list, "social.muted": list });

type Named = Pick<Person, "id" | "name">;

interface Toggle {
  userId: string;
  on: boolean;
}

const toggle =
  (key: string, send: (client: MutationContext["client"], input: Toggle) => Promise<{ cursor?: string }>) =>
  ({ client }: MutationContext): Mutation<Toggle, { cursor?: string }> => ({
    name: `social.${key}`,
    key: ({ userId }) => `${key}:${userId}`,
    optimisticEvents: () => [],
    send: (input) => send(client, input),
  });
const block = toggle("block", (client, { userId, on }) =>
  client.social.block.mutate({ userId, blocked: on }),
);
const mute = toggle("mute", (client, { userId, on }) => client.social.mute.mutate({ userId, muted: on }));

/** Blocks or unblocks a person, says so, and offers to undo it. */
export async function setBlocked(person: Named, on: boolean): Promise<void> {
  if (!(await mutate(block, { userId: person.id, on }))) return;
  toastWithUndo(`${person.name} is ${on ? "" : "no longer "}blocked.`, () => void setBlocked(person, !on));
}

/** Mutes or unmutes a person, says so, and offers to undo it. */
export async function setMuted(person: Named, on: boolean): Promise<void> {
  if (!(await mutate(mute, { userId: person.id, on }))) return;
  toastWithUndo(`${person.name} is ${on ? "" : "no longer "}muted.`, () => void setMuted(person, !on));
}

/** Asks before it blocks: following each other ends for good. */
export async function askToBlock(person: Named): Promise<void> {
  const isConfirmed = await confirm({
    title: `Block ${person.name}?`,
    body: "You won’t see each other’s profile, blogs, comments or likes, and you’ll stop following each other. We won’t tell them. You can unblock them in Settings.",
    action: "Block",
    danger: true,
  });
  if (isConfirmed) await setBlocked(person, true);
}
