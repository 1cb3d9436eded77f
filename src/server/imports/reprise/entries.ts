import type { FormerLiveState } from "../../entries/restore.ts";
import { parsedDate } from "../reading/dates.ts";
import { valuesIn } from "../reading/json.ts";
import { isRow, list, trimmedText, type Row } from "../reading/values.ts";
import { FileProblem, type Files, type SourceEntry } from "../source.ts";
import { htmlOf } from "./text.ts";

/** Returns the state of a live blog; undefined for another blog. One that was on air ended when the export was `made`. */
export function liveStateOf(value: unknown, made: Date): FormerLiveState | undefined {
  const since = isRow(value) ? parsedDate(value.since) : undefined;
  if (!isRow(value) || !since) return undefined;
  const summary = list(value.summary).flatMap((point) => trimmedText(point) ?? []);
  return { since, ended: parsedDate(value.ended) ?? made, summary };
}

/** Yields the entries of a live blog, then why others cannot be read. */
export async function* readEntries(files: Files, name: string, url: string): AsyncGenerator<SourceEntry> {
  try {
    for await (const { value } of valuesIn(files, name, ["$.*"]))
      if (isRow(value)) yield readEntry(value, url);
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    yield { problem: error.message };
  }
}

function readEntry(row: Row, url: string): SourceEntry {
  const createdAt = parsedDate(row.createdAt);
  const at = parsedDate(row.at) ?? createdAt;
  if (!at) return { problem: "no valid time" };
  try {
    return {
      source: trimmedText(row.id) ?? "",
      at,
      createdAt: createdAt ?? at,
      editedAt: parsedDate(row.editedAt) ?? null,
      title: trimmedText(row.title) ?? "",
      isKey: row.key === true,
      html: htmlOf(JSON.stringify(row), url),
    };
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    return { problem: error.message };
  }
}
