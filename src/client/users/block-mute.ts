import type { Person } from "../../shared/users.ts";
import { kept } from "../live/kept.ts";
import { doAct, keepAlso } from "../live/live.ts";
import type { Act, Hands } from "../live/own.ts";
import { tellFailure } from "../session/failure.ts";
import { confirm } from "../ui/confirm.tsx";
import { toastWithUndo } from "../ui/toasts.tsx";

// A block or a mute makes pages refetch everything they show: there is nothing to show before the answer.
const list = kept({ topics: () => ["me"], on: {} });
keepAlso({ "social.blocked": list, "social.muted": list });

type Named = Pick<Person, "id" | "name">;

interface Toggle {
  userId: string;
  on: boolean;
}

const toggle =
  (key: string, send: (client: Hands["client"], input: Toggle) => Promise<{ cursor?: string }>) =>
  ({ client, navigate }: Hands): Act<Toggle, { cursor?: string }> => ({
    name: `social.${key}`,
    key: ({ userId }) => `${key}:${userId}`,
    foresee: () => [],
    send: (input) => send(client, input),
    kept: false,
    refused: (error, _input, again) => tellFailure(error, navigate, again),
  });
const block = toggle("block", (client, { userId, on }) =>
  client.social.block.mutate({ userId, blocked: on }),
);
const mute = toggle("mute", (client, { userId, on }) => client.social.mute.mutate({ userId, muted: on }));

/** Blocks or unblocks a person, says so, and offers to undo it. */
export async function setBlocked(person: Named, on: boolean): Promise<void> {
  if (!(await doAct(block, { userId: person.id, on }))) return;
  toastWithUndo(`${person.name} is ${on ? "" : "no longer "}blocked.`, () => void setBlocked(person, !on));
}

/** Mutes or unmutes a person, says so, and offers to undo it. */
export async function setMuted(person: Named, on: boolean): Promise<void> {
  if (!(await doAct(mute, { userId: person.id, on }))) return;
  toastWithUndo(`${person.name} is ${on ? "" : "no longer "}muted.`, () => void setMuted(person, !on));
}

/** Asks before it blocks: following each other ends for good. */
export async function askToBlock(person: Named): Promise<void> {
  const yes = await confirm({
    title: `Block ${person.name}?`,
    body: "You won’t see each other’s profile, blogs, comments or likes, and you’ll stop following each other. We won’t tell them. You can unblock them in Settings.",
    action: "Block",
    danger: true,
  });
  if (yes) await setBlocked(person, true);
}
