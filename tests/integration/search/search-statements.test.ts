import path from "node:path";
import { expect, test } from "vitest";
import { isPostgres } from "../../../src/server/database/schema/store.ts";
import type { Reads } from "../../../src/server/workers/reader.ts";
import { ThreadPool } from "../../../src/server/workers/pool.ts";
import { searchWords } from "../../../src/server/database/search/words.ts";
import { siteWith } from "../../support/site-with.ts";
import { aBlog, aComment } from "../../support/test-site.ts";

type Counting = Reads & { prepared: (input: null) => number };

test.skipIf(isPostgres)(
  "prepares no further statements on the search thread when queries repeat",
  async () => {
    const [testSite, ana, ben] = await siteWith("Ana Owl", "Ben Owl");
    for (const title of ["Owls at night", "More owls", "夜晚的猫头鹰"]) {
      const blog = await ana.api.blogs.create.mutate(aBlog({ title }));
      await ben.api.comments.create.mutate(aComment(blog, { text: "Owls!" }));
    }
    const entry = path.resolve(import.meta.dirname, "../../support/counting-reader.ts");
    const reader = new ThreadPool<Counting>({ entry, threads: 1, idleTimeoutMs: 300_000 });
    const { file } = testSite.app.services.database;
    const questions = ["owl", "owls", "ow", "o", "夜", "猫头鹰", "at night", "node.js"];
    const runAllSearches = async (word: string) => {
      for (const searchTerms of [...questions, word].map(searchWords)) {
        for (const viewer of [null, ben.me.id])
          for (const kind of ["blogs", "people"] as const)
            await reader.run("search", {
              store: file,
              kind,
              words: searchTerms,
              viewer,
              limit: 10,
              offset: 0,
            });
      }
      return reader.run("prepared", null);
    };
    const prepared = await runAllSearches("first");
    expect(await runAllSearches("second")).toBe(prepared);
    await reader.close();
  },
);
