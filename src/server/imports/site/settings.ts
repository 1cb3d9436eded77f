import type { TextKind } from "../../../shared/site.ts";
import type { SignUpMode } from "../../../shared/users.ts";
import { insertMissingRows } from "../../database/insert-missing-rows.ts";
import { dailyCounts } from "../../database/schema/counts.ts";
import { siteTexts } from "../../database/schema/texts.ts";
import type { Transaction } from "../../database/writer.ts";
import { renderSiteText } from "../../administration/site-texts.ts";
import { setSignUpMode, setSignUpQuestion } from "../../signup/signup-policy-queries.ts";
import { setSiteSetting, type StoredSettings } from "../../site/queries.ts";
import { deleteDailyCounts } from "../../profiles/usage-queries.ts";
import { textOf } from "../reading/decode.ts";
import { isRow, list, parsedJson } from "../reading/values.ts";
import { FileProblem } from "../source.ts";
import type { RestoreContext } from "./steps.ts";
import { oneOf, text, time } from "./values.ts";

/** The most bytes: four texts, settings, and counts per day. */
const maxBytes = 32 * 1024 * 1024;

/** Returns a setting by its present name and value. */
const currentSetting = (name: string, value: string): [keyof StoredSettings, string] => [
  (name === "firstDayTalk" ? "firstDayLinks" : name) as keyof StoredSettings,
  name === "firstLinks" && value === "held" ? "pending" : value,
];

/** Returns a function that stores what was read. */
export async function settingsOf({
  services,
  files,
  root,
}: RestoreContext): Promise<(tx: Transaction) => Promise<void>> {
  const site = parsedJson(textOf(await files.read(`${root}site.json`, maxBytes)));
  if (!isRow(site)) throw new FileProblem("site.json is not valid JSON. Please export it again");
  const values = Object.entries(isRow(site.values) ? site.values : {}).filter(([name]) =>
    /^[A-Za-z]{1,60}$/.test(name),
  );
  const kinds: TextKind[] = ["terms", "privacy", "landing", "sheet"];
  const textRows: (typeof siteTexts.$inferInsert)[] = [];
  for (const entry of list(site.texts).filter(isRow)) {
    const [kind, source] = [oneOf(kinds, entry.kind), text(entry.source)];
    const rendered = await renderSiteText(services, { kind, source });
    textRows.push({
      kind,
      source,
      rendered,
      version: Number(entry.version) || 1,
      createdAt: time(entry.createdAt) ?? 0,
    });
  }
  const countKinds = ["people", "blogs", "comments", "bytes", "mails", "mails-failed"] as const;
  const counts = list(site.days)
    .filter(isRow)
    .map(({ day, kind, what, count }) => ({
      day: Number(day) || 0,
      kind: oneOf(countKinds, kind ?? what),
      count: Number(count) || 0,
    }));
  const modes: SignUpMode[] = ["open", "approval", "invitation", "closed"];
  return async (tx) => {
    for (const [name, value] of values) await setSiteSetting(tx, ...currentSetting(name, text(value)));
    if (typeof site.signUp === "string") await setSignUpMode(tx, oneOf(modes, site.signUp));
    if (typeof site.question === "string") await setSignUpQuestion(tx, site.question);
    await insertMissingRows(tx, siteTexts, textRows);
    // They count all restored rows as of today.
    if (counts.length > 0) await deleteDailyCounts(tx);
    await insertMissingRows(tx, dailyCounts, counts);
  };
}
