import { valuesIn } from "../reading/json.ts";
import { isRow, type Row } from "../reading/values.ts";
import type { Files } from "../source.ts";

/** Yields rows with their table; `meta` is a table of one. Throws `FileProblem`. */
export async function* rowsOf(files: Files, name: string): AsyncGenerator<{ table: string; row: Row }> {
  const paths = ["$.meta", "$.data.*.*", "$.db.*.meta", "$.db.*.data.*.*"];
  for await (const { value, key, within } of valuesIn(files, name, paths))
    if (isRow(value)) yield { table: key === "meta" ? "meta" : within, row: value };
}
