import { parseArgs } from "node:util";

/**
 * What `npm run bench` was started with: the parts to measure (all if none is named), the size of large sites, and for `member` the
 * built server (a path to main.js) that takes turns with this one.
 */
export const { values: options, positionals: chosenParts } = parseArgs({
  options: { scale: { type: "string", default: "1k" }, beside: { type: "string" } },
  allowPositionals: true,
});
