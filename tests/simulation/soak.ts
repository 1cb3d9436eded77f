// `npm run soak` runs random histories, with new seeds each time. For one that ends with a page that differs it finds the
// acts that cause the difference.
import { randomInt } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { launch } from "./chromium.ts";
import { cluster } from "./history-site.ts";
import { describeResult, runHistory, type HistoryResult } from "./run-history.ts";
import { generatePlan, type Plan } from "./generator.ts";
import { makeTemplate } from "./world.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "500" },
    from: { type: "string", default: String(randomInt(1_000_000)) },
    seed: { type: "string" },
    "at-once": { type: "string", default: "2" },
    cluster: { type: "boolean", default: false },
    shrink: { type: "boolean", default: true },
  },
  allowNegative: true,
});
const from = Number(values.seed ?? values.from);
const seeds = Array.from({ length: values.seed ? 1 : Number(values.seeds) }, (_, index) => from + index);

const folder = await mkdtemp(path.join(tmpdir(), "reprise-cluster-"));
await using store = values.cluster ? await cluster(folder) : undefined;
await using template = await makeTemplate(store);
await using browser = await launch();
/** With a cluster, something fails in each history. */
const planOf = (seed: number): Plan => {
  const plan = generatePlan(seed);
  if (!values.cluster) return plan;
  const acts = plan.acts.toSpliced(seed % plan.acts.length, 0, { kind: "kill the server" });
  return { ...plan, acts };
};
/** Reports a history that fails to run as a difference, so that the others continue. */
const runSafely = (plan: Plan): Promise<HistoryResult> =>
  runHistory(plan, template, browser).catch((error: unknown) => ({
    plan,
    outcomes: [],
    differences: [{ page: "the history itself", lines: [`- broken | ${String(error)}`] }],
  }));

const failed: HistoryResult[] = [];
const remainingSeeds = seeds.values();
const lanes = Array.from({ length: Number(values["at-once"]) }, async () => {
  for (const seed of remainingSeeds) {
    const start = performance.now();
    const result = await runSafely(planOf(seed));
    const duration = `${((performance.now() - start) / 1000).toFixed(1)} s`;
    const isSame = result.differences.length === 0;
    console.log(
      isSame && !values.seed
        ? `seed ${seed}: the same (${duration})`
        : `${describeResult(result)}\n  (${duration})`,
    );
    if (isSame) continue;
    failed.push(result);
    if (values.shrink) console.log(`\nWhat is needed of it:\n${describeResult(await shrink(result))}`);
  }
});
await Promise.all(lanes);
summarize();
await store?.[Symbol.asyncDispose]();
await rm(folder, { recursive: true, force: true });
process.exitCode = failed.length > 0 ? 1 : 0;

/** Removes the acts that are not needed for the page to differ, one by one. */
async function shrink(result: HistoryResult): Promise<HistoryResult> {
  const page = result.differences[0]!.page;
  let smallest = result;
  for (let index = result.plan.acts.length - 1; index >= 0; index--) {
    const again = await runSafely({
      ...result.plan,
      acts: smallest.plan.acts.filter((_, position) => position !== index),
    });
    if (again.differences.some((difference) => difference.page === page)) smallest = again;
  }
  return smallest;
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
  for (const { plan, differences: different } of failed)
    for (const { page, lines } of different)
      for (const line of lines) {
        // The page and its part, such as "blog, comment-head".
        const kind = `${page.replace(/ \(.*| open by.*/, "")}: ${line.slice(2).split(" | ")[0]}`;
        kinds.set(kind, (kinds.get(kind) ?? new Set()).add(plan.seed));
      }
  for (const [kind, failedSeeds] of [...kinds].sort((a, b) => b[1].size - a[1].size))
    console.log(
      `${String(failedSeeds.size).padStart(5)} × ${kind} (${[...failedSeeds].slice(0, 5).join(", ")}${failedSeeds.size > 5 ? ", …" : ""})`,
    );
}
