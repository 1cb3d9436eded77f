import { readFile } from "node:fs/promises";
import type { Parts } from "../context.ts";
import { SetText, SiteChange, textKinds, type TextKind } from "../../shared/site.ts";
import { operator } from "../moderation/log.ts";
import { changeSite, presentSite, textsOf } from "../moderation/site.ts";
import { changeText } from "../moderation/site-texts.ts";
import { storedSite } from "../users/site-queries.ts";
import { command, Misused, printable } from "./command.ts";
import { withParts } from "./parts.ts";

/** What can be set by a word. A picture is uploaded in the page. */
const names = [...Object.keys(SiteChange.shape).filter((name) => name !== "picture"), ...textKinds];
const isText = (name: string): name is TextKind => (textKinds as readonly string[]).includes(name);

export const commands = [
  command({
    name: "site show",
    does: "Shows what administrators have set: the site's name, appearance and texts.",
    run: () =>
      withParts(async (parts) => {
        const shown = await shownSite(parts);
        const lines = Object.entries(shown).map(([name, value]) => `${name}: ${printable(value)}`);
        return { lines, json: shown };
      }),
  }),
  command({
    name: "site set",
    takes: "NAME VALUE|@FILE",
    does: `Sets one of ${names.join(", ")}; the value "" restores the default. Open pages change within a second.`,
    words: [2, 2],
    run: ({ words: [name = "", value = ""] }) =>
      withParts(async (parts) => {
        if (!names.includes(name)) throw new Misused(`Please name one of ${names.join(", ")}.`);
        const given = value.startsWith("@") ? await readFile(value.slice(1), "utf8") : value;
        if (isText(name))
          await changeText(parts, SetText.parse({ kind: name, source: given }), async () => operator);
        else await changeSite(parts.database, SiteChange.parse({ [name]: given }), async () => operator);
        const shown = await shownSite(parts);
        return {
          lines: `${name}: ${printable(shown[name as keyof typeof shown])}`,
          json: shown,
        };
      }),
  }),
];

const shownSite = async ({ database }: Pick<Parts, "database">) => {
  const { picture, ...shown } = presentSite(await storedSite(database.read));
  const texts = Object.entries(await textsOf(database.read)).map(([kind, { source }]) => [kind, source]);
  return {
    ...shown,
    picture: picture?.src ?? "",
    ...(Object.fromEntries(texts) as Record<TextKind, string>),
  };
};
