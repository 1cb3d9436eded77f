import type { ImportReport, ImportRun } from "../../src/shared/imports.ts";
import type { Browser } from "./browser.ts";
import { until } from "./until.ts";

/** Uploads an export to import, as the page does. */
export async function sendImport(person: Browser, bytes: Buffer, query = "kind=markdown&name=site.zip") {
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(bytes)]), "file");
  const answer = await person.fetch(`/settings/import?${query}`, { method: "POST", body: form });
  return { status: answer.status, body: (await answer.json()) as { id?: string; message?: string } };
}

export const newestRun = async (person: Browser): Promise<ImportRun | undefined> =>
  (await person.api.imports.list.query()).runs[0];

export async function reportOf(person: Browser, id: string): Promise<ImportReport | null> {
  return (await person.api.imports.report.query({ id })).report;
}

/** Waits until the newest import has ended. */
export const endedRun = (person: Browser): Promise<ImportRun> =>
  until(async () => {
    const run = await newestRun(person);
    return run && !/waiting|running|stopping|undoing/.test(run.state) ? run : undefined;
  });
