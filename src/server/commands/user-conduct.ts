import { Note } from "../../shared/moderation.ts";
import { staffLimits } from "../../shared/staff-limits.ts";
import { listNotes } from "../moderation/note-queries.ts";
import { operator } from "../moderation/log.ts";
import { writeNote } from "../moderation/people.ts";
import { unsuspendAccount, limitAccount, suspendAccount, unlimitAccount } from "../moderation/suspension.ts";
import { takes, withAccount } from "./account.ts";
import { command, printable } from "./command.ts";

const oneArgument = [1, 1] as const;

/* Moderation of people from the command line. */

export const commands = [
  command({
    name: "user suspend",
    takes: `${takes} [--reason WORDS] [--undo]`,
    description:
      "Suspends an account: it is signed out, and nobody can see it or what it wrote. --undo unsuspends it.",
    words: oneArgument,
    options: { reason: { type: "string" }, undo: { type: "boolean" } },
    run: withAccount(async (services, user, { reason = "", undo }) => {
      const ended = await services.database.write(async (tx) =>
        undo ? unsuspendAccount(tx, operator, user) : suspendAccount(tx, operator, user, reason),
      );
      services.sessions.closeConnections(ended ?? []);
      return {
        lines: `${user.username} is ${undo ? "no longer suspended" : "suspended and signed out everywhere"}.`,
        json: { username: user.username, suspended: !undo },
      };
    }),
  }),
  command({
    name: "user limit",
    takes: `${takes} [--reason WORDS] [--undo]`,
    description:
      "Limits an account: only followers see it and its content, and it is not notified. --undo removes the limit.",
    words: oneArgument,
    options: { reason: { type: "string" }, undo: { type: "boolean" } },
    run: withAccount(async (services, user, { reason = "", undo }) => {
      await services.database.write((tx) =>
        undo ? unlimitAccount(tx, operator, user) : limitAccount(tx, operator, user, reason),
      );
      return {
        lines: `${user.username} is ${undo ? "no longer limited" : "limited: only followers see the account"}.`,
        json: { username: user.username, limited: !undo },
      };
    }),
  }),
  command({
    name: "user note",
    takes: `${takes} [WORDS]`,
    description: "Stores a note about a person for moderators; without words, shows the notes.",
    words: [1, 2],
    run: withAccount(async (services, user, _, words) => {
      if (words !== undefined)
        await services.database.write((tx) => writeNote(tx, operator, user, Note.parse(words)));
      const notes = await listNotes(services.database.read, user.id, staffLimits.notes.most);
      const shown = notes.map(({ author, body, createdAt }) => ({
        author,
        words: body,
        at: new Date(createdAt).toISOString(),
      }));
      return {
        lines: shown.map(({ at, author, words: text }) => `${at.slice(0, 10)} ${author}: ${printable(text)}`),
        json: { username: user.username, notes: shown },
      };
    }),
  }),
];
