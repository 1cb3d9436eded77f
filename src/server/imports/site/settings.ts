import type { TextKind } from "../../../shared/site.ts";
import type { SignUpMode } from "../../../shared/users.ts";
import { putRows } from "../../database/put-rows.ts";
import { days } from "../../database/schema/counts.ts";
import { siteTexts } from "../../database/schema/texts.ts";
import type { Transaction } from "../../database/writer.ts";
import { drawnText } from "../../moderation/site-texts.ts";
import { setSignUpMode, setSignUpQuestion } from "../../users/signup-policy-queries.ts";
import { setStored, type StoredSite } from "../../users/site-queries.ts";
import { forgetDays } from "../../users/use-queries.ts";
import { textOf } from "../reading/decode.ts";
import { isRow, list, parsed } from "../reading/values.ts";
import { FileProblem } from "../source.ts";
import type { Tools } from "./steps.ts";
import { oneOf, text, time } from "./values.ts";

/** What `site.json` takes at most: four texts, settings, and some numbers for each day. */
const most = 32 * 1024 * 1024;

/** Reads the site's own settings and texts; answers with what stores them. */
export async function settingsOf({ parts, files, root }: Tools): Promise<(tx: Transaction) => Promise<void>> {
  const site = parsed(textOf(await files.read(`${root}site.json`, most)));
  if (!isRow(site)) throw new FileProblem("site.json is not valid JSON. Please export it again");
  const values = Object.entries(isRow(site.values) ? site.values : {}).filter(([name]) =>
    /^[A-Za-z]{1,60}$/.test(name),
  );
  const kinds: TextKind[] = ["terms", "privacy", "landing", "sheet"];
  const written: (typeof siteTexts.$inferInsert)[] = [];
  for (const one of list(site.texts).filter(isRow)) {
    const [kind, source] = [oneOf(kinds, one.kind), text(one.source)];
    const drawn = await drawnText(parts, { kind, source });
    written.push({
      kind,
      source,
      drawn,
      version: Number(one.version) || 1,
      createdAt: time(one.createdAt) ?? 0,
    });
  }
  const whats = ["people", "blogs", "comments", "bytes", "mails", "mails-failed"] as const;
  const counts = list(site.days)
    .filter(isRow)
    .map(({ day, what, count }) => ({
      day: Number(day) || 0,
      what: oneOf(whats, what),
      count: Number(count) || 0,
    }));
  const modes: SignUpMode[] = ["open", "approval", "invitation", "closed"];
  return async (tx) => {
    for (const [name, value] of values) await setStored(tx, name as keyof StoredSite, text(value));
    if (typeof site.signUp === "string") await setSignUpMode(tx, oneOf(modes, site.signUp));
    if (typeof site.question === "string") await setSignUpQuestion(tx, site.question);
    await putRows(tx, siteTexts, written);
    // Everything came to be today, as far as the store has counted.
    if (counts.length > 0) await forgetDays(tx);
    await putRows(tx, days, counts);
  };
}
