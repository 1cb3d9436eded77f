// `npm run soak` runs random histories, with new seeds each time. For one that ends with a page that differs it finds the
// acts that cause the difference.
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { launch } from "./chromium.ts";
import { inWords, live, type Told } from "./history.ts";
import { planOf, type Plan } from "./plan.ts";
import { makeTemplate } from "./scene.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "500" },
    from: { type: "string", default: String(randomInt(1_000_000)) },
    seed: { type: "string" },
    "at-once": { type: "string", default: "2" },
    shrink: { type: "boolean", default: true },
  },
  allowNegative: true,
});
const from = Number(values.seed ?? values.from);
const seeds = Array.from({ length: values.seed ? 1 : Number(values.seeds) }, (_, index) => from + index);

await using template = await makeTemplate();
await using browser = await launch();
/** One that can't be told to its end is told of as what it is, and the others go on. */
const tell = (plan: Plan): Promise<Told> =>
  live(plan, template, browser).catch((error: unknown) => ({
    plan,
    came: [],
    different: [{ page: "the history itself", lines: [`- broken | ${String(error)}`] }],
  }));

const failed: Told[] = [];
const left = seeds.values();
const turns = Array.from({ length: Number(values["at-once"]) }, async () => {
  for (const seed of left) {
    const begun = performance.now();
    const told = await tell(planOf(seed));
    const took = `${((performance.now() - begun) / 1000).toFixed(1)} s`;
    const isSame = told.different.length === 0;
    console.log(
      isSame && !values.seed ? `seed ${seed}: the same (${took})` : `${inWords(told)}\n  (${took})`,
    );
    if (isSame) continue;
    failed.push(told);
    if (values.shrink) console.log(`\nWhat is needed of it:\n${inWords(await shrink(told))}`);
  }
});
await Promise.all(turns);
summarize();
process.exitCode = failed.length > 0 ? 1 : 0;

/** Takes away, one after the other, the acts that a page differs without. */
async function shrink(told: Told): Promise<Told> {
  const page = told.different[0]!.page;
  let least = told;
  for (let index = told.plan.acts.length - 1; index >= 0; index--) {
    const again = await tell({ ...told.plan, acts: least.plan.acts.filter((_, at) => at !== index) });
    if (again.different.some((one) => one.page === page)) least = again;
  }
  return least;
}

function summarize(): void {
  console.log(
    `\n${seeds.length - failed.length} of ${seeds.length} histories ended with every open page as a fresh one.`,
  );
  if (failed.length === 0) return;
  console.log(
    `Different: ${failed
      .map(({ plan }) => plan.seed)
      .sort((a, b) => a - b)
      .join(", ")}`,
  );
  const kinds = new Map<string, Set<number>>();
  for (const { plan, different } of failed)
    for (const { page, lines } of different)
      for (const line of lines) {
        // "blog, comment-head": the page and the part of it.
        const kind = `${page.replace(/ \(.*| open by.*/, "")}: ${line.slice(2).split(" | ")[0]}`;
        kinds.set(kind, (kinds.get(kind) ?? new Set()).add(plan.seed));
      }
  for (const [kind, of] of [...kinds].sort((a, b) => b[1].size - a[1].size))
    console.log(
      `${String(of.size).padStart(5)} × ${kind} (${[...of].slice(0, 5).join(", ")}${of.size > 5 ? ", …" : ""})`,
    );
}
