import Sqlite from "better-sqlite3";
import { expect, test } from "vitest";
import { isPostgres } from "../../../src/server/database/schema/store.ts";
import { freePort } from "../../support/server.ts";
import { startStaffedSite } from "../../support/staffed-site.ts";
import {
  aBlog,
  aComment,
  paragraphs,
  password,
  startTestSite,
  until,
  type TestSite,
} from "../../support/test-site.ts";

/* Exceptions are named in docs/privacy.md. */

/** Returns the tables and columns that contain a word; the search index drops it when its segments merge. */
function columnsContaining({ config, rows }: TestSite, word: string): string[] {
  if (isPostgres) {
    const columns = rows<{ name: string; column: string }>(
      `select table_name as name, column_name as column from information_schema.columns
        where table_schema = 'public' and data_type in ('text', 'tsvector') order by table_name, ordinal_position`,
    );
    const containing = columns.map(
      ({ name, column }) =>
        `select '${name}.${column}' as name where exists (select 1 from "${name}" where position('${word}' in lower("${column}"::text)) > 0)`,
    );
    return rows<{ name: string }>(containing.join(" union all ")).map(({ name }) => name);
  }
  const store = new Sqlite(config.databaseFile, { readonly: true });
  try {
    const names = (statement: string) => store.prepare(statement).pluck().all() as string[];
    return names("select name from pragma_table_list where type = 'table' and schema = 'main'").flatMap(
      (table) =>
        names(`select name from pragma_table_info('${table}')`)
          .filter((column) =>
            store
              .prepare(`select 1 from "${table}" where instr(lower(cast("${column}" as text)), ?) limit 1`)
              .get(word),
          )
          .map((column) => `${table}.${column}`),
    );
  } finally {
    store.close();
  }
}

test("keeps no word of a deleted blog or comment, except a blog's tags in the event log", async () => {
  const { testSite, mona, ana, ben } = await startStaffedSite();
  const blog = await ana.api.blogs.create.mutate(
    aBlog({
      title: "Quokkaword at night",
      description: "Quokkaword heard.",
      tags: ["quokkatag"],
      document: paragraphs("Quokkaword, mostly."),
    }),
  );
  const other = await ana.api.blogs.create.mutate(aBlog());
  const comment = await ben.api.comments.create.mutate(aComment(other, { text: "Wombatword" }));
  await ana.api.comments.create.mutate(aComment(other, { parentId: comment.id, text: "Yes." }));
  for (const [target, reporter] of [
    [{ kind: "blog", id: blog.id }, ben],
    [{ kind: "comment", id: comment.id }, ana],
  ] as const) {
    const report = { ...target, reason: "spam", body: "It says wombatword and quokkaword" } as const;
    await reporter.api.moderation.report.mutate(report);
    await mona.api.moderation.resolveReport.mutate({ ...target, outcome: "keep", reason: "Harmless" });
    await mona.api.moderation.report.mutate(report);
  }
  const columns = () =>
    ["quokkaword", "quokkatag", "wombatword"].map((word) => columnsContaining(testSite, word));
  for (const names of columns()) expect(names.length).toBeGreaterThan(0);
  await ana.api.blogs.remove.mutate({ id: blog.id });
  await ben.api.comments.remove.mutate({ id: comment.id });
  await until(() => testSite.rows("select 1 from jobs where name = 'hub'").length === 0, "jobs with a tag");
  expect(columns()).toEqual([[], ["live_events.event"], []]);
});

test("keeps no word of a deleted account, except its reserved username", async () => {
  const { testSite, mona, ana, ben } = await startStaffedSite({ anaAs: "Numbatword" });
  const blog = await ben.api.blogs.create.mutate(aBlog());
  await ana.api.blogs.create.mutate(aBlog({ title: "Numbatword writes" }));
  const comment = await ana.api.comments.create.mutate(aComment(blog, { text: "Numbatword says" }));
  await ben.api.comments.create.mutate(aComment(blog, { parentId: comment.id, text: "Yes." }));
  const report = { reason: "spam", body: "Numbatword minds" } as const;
  await ana.api.moderation.report.mutate({ kind: "blog", id: blog.id, ...report });
  await ben.api.moderation.report.mutate({ kind: "profile", id: ana.me.id, ...report });
  await mona.api.moderation.resolveReport.mutate({
    kind: "profile",
    id: ana.me.id,
    outcome: "keep",
    reason: "",
  });
  const columns = () => columnsContaining(testSite, "numbatword");
  expect(columns()).toContain("audit_log.name");
  await ana.api.users.remove.mutate({ password });
  expect(columns()).toEqual(["reserved_usernames.username"]);
});

test("deletes queued and failed emails to an account when it is deleted", async () => {
  await using testSite = await startTestSite({ SMTP_URL: `smtp://127.0.0.1:${await freePort()}` });
  await testSite.createAccount("Administrator");
  const [ana, ben] = [await testSite.createAccount("Ana"), await testSite.createAccount("Ben")];
  for (const { api } of [ana, ana, ben]) await api.users.sendDeletionLink.mutate();
  const rows = () => testSite.rows<{ payload: string }>("select payload from jobs where name = 'mail'");
  expect(rows()).toHaveLength(3);
  await testSite.run(
    `update jobs set failed_at = 1 where id = (select min(id) from jobs where payload like '%${ana.email}%')`,
  );
  await ana.api.users.remove.mutate({ password });
  expect(rows().map(({ payload }) => payload.includes(ben.email))).toEqual([true]);
});
