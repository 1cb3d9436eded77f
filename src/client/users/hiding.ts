import type { Person } from "../../shared/users.ts";
import { kept } from "../live/kept.ts";
import { doAct, keepAlso } from "../live/live.ts";
import type { Act, Hands } from "../live/own.ts";
import { tellFailure } from "../session/failure.ts";
import { confirm } from "../ui/confirm.tsx";
import { toastWithUndo } from "../ui/toasts.tsx";

// All that is shown is asked for anew where somebody is hidden or comes back: there is nothing to foresee.
const list = kept({ topics: () => ["me"], on: {} });
keepAlso({ "social.blocked": list, "social.muted": list });

type Named = Pick<Person, "id" | "name">;
/** Both are hidden from each other, or one from the other's lists alone. */
export type Way = "blocked" | "muted";

interface Turn {
  userId: string;
  on: boolean;
}

const turning =
  (way: Way) =>
  ({ client, navigate }: Hands): Act<Turn, { cursor?: string }> => ({
    name: way === "blocked" ? "social.block" : "social.mute",
    key: ({ userId }) => `${way}:${userId}`,
    foresee: () => [],
    send: ({ userId, on }) =>
      way === "blocked"
        ? client.social.block.mutate({ userId, blocked: on })
        : client.social.mute.mutate({ userId, muted: on }),
    kept: false,
    refused: (error, _input, again) => tellFailure(error, navigate, again),
  });

/** Blocks or mutes somebody, or takes it back; says so, and offers the opposite. */
export async function hide(way: Way, person: Named, on: boolean): Promise<void> {
  if (!(await doAct(turning(way), { userId: person.id, on }))) return;
  toastWithUndo(`${person.name} is ${on ? way : `no longer ${way}`}.`, () => void hide(way, person, !on));
}

/** A block is asked about first: what one followed of the other ends for good. */
export async function askToBlock(person: Named): Promise<void> {
  const yes = await confirm({
    title: `Block ${person.name}?`,
    body: "Neither of you will find the other here, nor what the other writes, says or likes. If one of you follows the other, that ends. They are not told. You can unblock them in your settings.",
    action: "Block",
    danger: true,
  });
  if (yes) await hide("blocked", person, true);
}
