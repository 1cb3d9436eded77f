// `npm run bench` measures the built site, beside bare peers in the same run. Exits with 1 if a target is missed.
import { parseArgs } from "node:util";
import { publications, reset } from "./many-pages.ts";
import { renderingCost } from "./rendering-cost.ts";
import { fanOut } from "./fan-out.ts";
import { growth } from "./growth.ts";
import { hostile } from "./hostile.ts";
import { cachedPage } from "./pages.ts";
import { liveWriting } from "./live-writing.ts";
import { openSite, type Row } from "./bench-site.ts";
import { openWeb } from "./open-web.ts";
import { screens } from "./screens.ts";
import { coldStart } from "./cold-start.ts";
import { typing } from "./typing.ts";
import { pageWeight } from "./weight.ts";
import { writing } from "./drafts.ts";

const parts = {
  pages: cachedPage,
  drawing: renderingCost,
  live: fanOut,
  publications,
  reset,
  screens,
  writing,
  "live-writing": liveWriting,
  typing,
  start: coldStart,
  weight: pageWeight,
  growth,
  "open-web": openWeb,
  hostile,
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

const { positionals } = parseArgs({ options: { scale: { type: "string" } }, allowPositionals: true });
const rows: Row[] = [];
for (const [name, measure] of Object.entries(parts)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  process.stderr.write(`Measuring ${name}…\n`);
  await using site = await openSite();
  rows.push(...(await measure(site)));
}
print(rows);
process.exitCode = rows.every(meetsTarget) ? 0 : 1;
