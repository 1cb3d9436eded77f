import type { Person } from "../../shared/users.ts";
import { kept } from "../live/kept.ts";
import { keepAlso, ownChanges, ownHands } from "../live/live.ts";
import type { Act, Hands } from "../live/own.ts";
import { tellFailure } from "../session/failure.ts";
import { confirm } from "../ui/confirm.tsx";
import { toast } from "../ui/toasts.tsx";

// All that is shown is asked for anew where a block came or went: there is nothing to foresee.
keepAlso({ "social.blocked": kept({ topics: () => ["me"], on: {} }) });

interface Turn {
  userId: string;
  blocked: boolean;
}

const turn = ({ client, navigate }: Hands): Act<Turn, { cursor?: string }> => ({
  name: "social.block",
  key: ({ userId }) => `block:${userId}`,
  foresee: () => [],
  send: (input) => client.social.block.mutate(input),
  kept: false,
  refused: (error, _input, again) => tellFailure(error, navigate, again),
});

/** Blocks somebody, or takes it back; says so, and offers the opposite. */
export async function setBlocked(person: Pick<Person, "id" | "name">, blocked: boolean): Promise<void> {
  if (!(await ownChanges().do(turn(ownHands()), { userId: person.id, blocked }))) return;
  toast({
    kind: "success",
    message: `${person.name} is ${blocked ? "blocked" : "no longer blocked"}.`,
    action: { label: "Undo", run: () => void setBlocked(person, !blocked) },
  });
}

/** The same, asked first: what one followed of the other ends for good. */
export async function askToBlock(person: Pick<Person, "id" | "name">): Promise<void> {
  const yes = await confirm({
    title: `Block ${person.name}?`,
    body: "Neither of you will find the other here, nor what the other writes, says or likes. If one of you follows the other, that ends. They are not told. You can unblock them in your settings.",
    action: "Block",
    danger: true,
  });
  if (yes) await setBlocked(person, true);
}
