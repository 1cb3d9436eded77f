// `npm run bench` measures the built site, beside bare peers in the same run. Exits with 1 if a target is missed or a part fails.
import path from "node:path";
import { cluster } from "./cluster.ts";
import { publications, reset } from "./many-pages.ts";
import { fanOut } from "./fan-out.ts";
import { growth } from "./growth.ts";
import { guests } from "./guests.ts";
import { hostile } from "./hostile.ts";
import { liveBlogs } from "./live-blogs.ts";
import { members } from "./members.ts";
import { memory } from "./memory.ts";
import { openSite, type Row, type Site } from "./bench-site.ts";
import { openWeb } from "./open-web.ts";
import { chosenParts, options } from "./options.ts";
import { screens } from "./screens.ts";
import { coldStart } from "./cold-start.ts";
import { typing } from "./typing.ts";
import { updates } from "./updates.ts";
import { pageWeight } from "./weight.ts";
import { writing } from "./drafts.ts";

type Measure = (site: Site, other?: Site) => Promise<Row[]>;

const parts: Record<string, Measure> = {
  member: members,
  guest: guests,
  live: fanOut,
  "live-blog": liveBlogs,
  publications,
  reset,
  screens,
  writing,
  update: updates,
  typing,
  start: coldStart,
  memory,
  weight: pageWeight,
  growth,
  "open-web": openWeb,
  hostile,
  cluster,
};

/** Whether a row meets its target; rows without one are for information. */
function meetsTarget({ value, target }: Row): boolean {
  if (!target) return true;
  return "atLeast" in target ? value >= target.atLeast : value <= target.atMost;
}

function print(rows: Row[]): void {
  const lines = rows.map((row) => {
    const { target, value, unit } = row;
    const targetText = target
      ? "atLeast" in target
        ? `≥ ${target.atLeast} ${unit}`
        : `≤ ${target.atMost} ${unit}`
      : "";
    return [
      row.title,
      row.ours,
      row.bare,
      row.bare ? `${value.toFixed(2)} ${unit}` : "",
      targetText,
      target ? (meetsTarget(row) ? "yes" : "NO") : "",
    ];
  });
  const table = [["", "Reprise", "bare", "ratio", "target", "met"], ...lines];
  const widths =
    table[0]?.map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0))) ?? [];
  for (const line of table)
    console.log(
      line
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join("  ")
        .trimEnd(),
    );
}

/** Measures a part on a site of its own. Returns whether it met its targets; a part that fails has not. */
async function run(name: string, measure: Measure): Promise<boolean> {
  process.stderr.write(`Measuring ${name}…\n`);
  try {
    await using site = await openSite();
    await using other =
      options.beside === undefined || measure !== members
        ? undefined
        : await openSite(path.resolve(options.beside));
    const rows = await measure(site, other);
    print(rows);
    return rows.every(meetsTarget);
  } catch (error) {
    console.error(`${name} failed:`, error);
    return false;
  }
}

const unknown = chosenParts.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) {
  console.error(`There is no part "${unknown[0]}". The parts are ${Object.keys(parts).join(", ")}.`);
  process.exit(2);
}
let allMet = true;
for (const [name, measure] of Object.entries(parts))
  if (chosenParts.length === 0 || chosenParts.includes(name)) allMet = (await run(name, measure)) && allMet;
process.exit(allMet ? 0 : 1);
