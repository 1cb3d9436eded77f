import { readFile } from "node:fs/promises";
import type { Services } from "../context.ts";
import { SetText, SiteChange, textKinds, type TextKind } from "../../shared/site.ts";
import { operator } from "../moderation/log.ts";
import { changeSite, presentSite, textsOf } from "../administration/site-settings.ts";
import { changeText } from "../administration/site-texts.ts";
import { storedSettings } from "../site/queries.ts";
import { command, UsageError, printable } from "./command.ts";
import { withServices } from "./services.ts";

/** The picture is uploaded on the site. */
const names = [...Object.keys(SiteChange.shape).filter((name) => name !== "picture"), ...textKinds];
const isText = (name: string): name is TextKind => (textKinds as readonly string[]).includes(name);

export const commands = [
  command({
    name: "site show",
    description: "Shows what administrators have set: the site's name, appearance and texts.",
    run: () =>
      withServices(async (services) => {
        const shown = await shownSite(services);
        const lines = Object.entries(shown).map(([name, value]) => `${name}: ${printable(value)}`);
        return { lines, json: shown };
      }),
  }),
  command({
    name: "site set",
    takes: "NAME VALUE|@FILE",
    description: `Sets one of ${names.join(", ")}; the value "" restores the default. Open pages change within a second.`,
    words: [2, 2],
    run: ({ words: [name = "", value = ""] }) =>
      withServices(async (services) => {
        if (!names.includes(name)) throw new UsageError(`Please name one of ${names.join(", ")}.`);
        const content = value.startsWith("@") ? await readFile(value.slice(1), "utf8") : value;
        if (isText(name))
          await changeText(services, SetText.parse({ kind: name, source: content }), async () => operator);
        else await changeSite(services.database, SiteChange.parse({ [name]: content }), async () => operator);
        const shown = await shownSite(services);
        return {
          lines: `${name}: ${printable(shown[name as keyof typeof shown])}`,
          json: shown,
        };
      }),
  }),
];

const shownSite = async ({ database }: Pick<Services, "database">) => {
  const { picture, ...shown } = presentSite(await storedSettings(database.read));
  const texts = Object.entries(await textsOf(database.read)).map(([kind, { source }]) => [kind, source]);
  return {
    ...shown,
    picture: picture?.src ?? "",
    ...(Object.fromEntries(texts) as Record<TextKind, string>),
  };
};
