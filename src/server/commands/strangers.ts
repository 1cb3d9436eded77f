import { staffLimits } from "../../shared/staff-limits.ts";
import { changeSender } from "../moderation/arrivals.ts";
import { operator } from "../moderation/log.ts";
import { listSenders } from "../users/sender-queries.ts";
import { command } from "./command.ts";
import { withParts } from "./parts.ts";

export const commands = [
  command({
    name: "strangers refused",
    does: "The mail domains and networks that nobody joins from.",
    run: () =>
      withParts(async ({ database }) => {
        const senders = await listSenders(database.read, staffLimits.refusedSenders.most);
        return {
          lines: senders.map(({ value }) => value),
          json: senders.map(({ kind, value }) => ({ kind, value })),
        };
      }),
  }),
  command({
    name: "strangers refuse",
    takes: "DOMAIN|ADDRESS|NETWORK [--undo]",
    does: "Nobody new joins with an address of this mail domain, or from this network, as in 192.0.2.0/24. --undo lets them in again.",
    words: [1, 1],
    options: { undo: { type: "boolean" } },
    run: ({ words: [sender = ""], options: { undo } }) =>
      withParts(async ({ database }) => {
        const value = await database.write((tx) => changeSender(tx, operator, sender, !undo));
        return {
          lines: undo ? `${value} is let in again.` : `Nobody new joins from ${value}.`,
          json: { value, refused: !undo },
        };
      }),
  }),
];
