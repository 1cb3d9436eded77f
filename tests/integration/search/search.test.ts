import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { execute } from "../../../src/server/database/connection.ts";
import type { TextPart } from "../../../src/shared/search.ts";
import { maxFound, searchBlogs } from "../../../src/server/search/blogs.ts";
import { blogSearchProcedures, peopleSearchProcedures } from "../../../src/server/search/router.ts";
import { actingAs } from "../../../src/server/accounts/acting-as.ts";
import type { Context } from "../../../src/server/context.ts";
import { checkAndRepair } from "../../../src/server/database/check-and-repair.ts";
import { maxRanked } from "../../../src/server/database/search/search-index.ts";
import { isPostgres } from "../../../src/server/database/schema/store.ts";
import { newId } from "../../../src/server/runtime/ids.ts";
import { addAccount } from "../../../src/server/sign-in/sign-up.ts";
import { createCallerFactory, router } from "../../../src/server/http/trpc.ts";
import { indexedNumbers } from "../../support/search-index.ts";
import {
  aBlog,
  paragraphs,
  password,
  startTestSite,
  type SignedInBrowser,
  type TestSite,
} from "../../support/test-site.ts";

const callers = createCallerFactory(
  router({ blogs: blogSearchProcedures.search, people: peopleSearchProcedures.search }),
);

const contextOf = (testSite: TestSite, viewer: { me: { id: string } } | null): Context => {
  const context = actingAs(testSite.app.services, viewer?.me.id ?? "");
  return viewer ? context : { ...context, viewer: null };
};
const callerFor = (testSite: TestSite, viewer: { me: { id: string } } | null) =>
  callers(contextOf(testSite, viewer));
const write = (author: SignedInBrowser, change: Record<string, unknown>) =>
  author.api.blogs.create.mutate(aBlog({ description: "", tags: [], ...change }));
const titles = (list: { blogs: { title: string }[] }) => list.blogs.map((blog) => blog.title);
const shown = (parts: TextPart[] | undefined) =>
  (parts ?? []).map(({ text, hit }) => (hit ? `[${text}]` : text)).join("");
const joined = (parts: TextPart[] | undefined) => (parts ?? []).map(({ text }) => text).join("");

describe("a site with many blogs", () => {
  let testSite: TestSite;
  let ana: SignedInBrowser;
  let eve: SignedInBrowser;
  const find = async (query: string, viewer: SignedInBrowser | null = null, page = 1) =>
    callerFor(testSite, viewer).blogs({ query, page });

  beforeAll(async () => {
    testSite = await startTestSite();
    [ana, eve] = await Promise.all([testSite.createAccount("Ana María Ruiz"), testSite.createAccount("Eve")]);
  });
  afterAll(async () => testSite[Symbol.asyncDispose]());

  test("ranks hits in title, tags, description and body in this order", async () => {
    const filler = "The rest of this is about nothing in particular, and goes on for a while. ".repeat(4);
    await write(ana, { title: "In the body", document: paragraphs("A quokka, a quokka. ".repeat(12)) });
    await write(ana, {
      title: "In the description",
      description: "About a quokka.",
      document: paragraphs(filler),
    });
    await write(ana, {
      title: "Among the tags",
      tags: ["animals", "quokka"],
      document: paragraphs(filler),
    });
    await write(ana, { title: "A quokka smiles", document: paragraphs(filler.repeat(20)) });
    const first = await find("Quokka");
    expect(titles(first)).toEqual(["A quokka smiles", "Among the tags", "In the description"]);
    expect(first).toMatchObject({ page: 1, hasMore: true, total: 4 });
    const second = await find("Quokka", null, 2);
    expect(titles(second)).toEqual(["In the body"]);
    expect(second).toMatchObject({ page: 2, hasMore: false, total: 4 });
    expect(await find("quokka", null, 3)).toMatchObject({ blogs: [], hasMore: false });
  });

  test("lists the newest of equal hits first", async () => {
    for (const title of ["Numbat one", "Numbat two", "Numbat six"]) await write(ana, { title });
    expect(titles(await find("numbat"))).toEqual(["Numbat six", "Numbat two", "Numbat one"]);
  });

  test("requires all words, of which only the last can be unfinished", async () => {
    await write(ana, { title: "Wombats dig", document: paragraphs("They dig tunnels.") });
    expect(titles(await find("wombats tunn"))).toEqual(["Wombats dig"]);
    expect(titles(await find("wombats bridges"))).toEqual([]);
    expect(titles(await find("tunn they"))).toEqual([]);
    expect(titles(await find("w"))).toEqual([]);
  });

  test("ignores accents, case and ß", async () => {
    await write(ana, {
      title: "Straße nach Łódź",
      document: paragraphs("Der Cafe\u0301-Besuch in ZÜRICH war groß."),
    });
    for (const query of [
      "strasse",
      "STRASSE",
      "straße",
      "Straß",
      "café",
      "CAFE",
      "zurich",
      "zürich",
      "gross",
      "groß",
      "łódź",
      "GROẞ",
    ]) {
      expect([query, titles(await find(query))]).toEqual([query, ["Straße nach Łódź"]]);
    }
    const [blog] = (await find("strasse zürich cafe")).blogs;
    expect(shown(blog?.highlights.title)).toBe("[Straße] nach Łódź");
    expect(shown(blog?.highlights.snippet)).toBe("Der [Cafe\u0301]-Besuch in [ZÜRICH] war groß.");
  });

  test("finds words of any script without their marks, and marks them", async () => {
    const found: [title: string, query: string, highlighted: string][] = [
      ["Η Αθήνα της άνοιξης", "αθηνα", "Η [Αθήνα] της άνοιξης"],
      ["Сказка про ёжика", "ежика", "Сказка про [ёжика]"],
      ["Spacer po Łodzi", "lodzi", "Spacer po [Łodzi]"],
      ["Smørrebrød i dag", "smorrebrod", "[Smørrebrød] i dag"],
      ["Đà Nẵng by night", "da nang", "[Đà] [Nẵng] by night"],
      ["Le cœur a ses raisons", "coeur", "Le [cœur] a ses raisons"],
      ["שָׁלוֹם לכולם", "שלום", "[שָׁלוֹם] לכולם"],
      ["İzmir’de ılık", "ilik", "İzmir’de [ılık]"],
      ["The ﬁnal ﬀort", "final", "The [ﬁnal] ﬀort"],
    ];
    for (const [title, query, highlighted] of found) {
      await write(ana, { title });
      const { blogs } = await find(query);
      expect([query, blogs.map((blog) => shown(blog.highlights.title))]).toEqual([query, [highlighted]]);
      expect([query, titles(await find(title.toUpperCase()))]).toEqual([query, [title]]);
    }
    await write(ana, { title: "Мой край" });
    expect(titles(await find("мои краи"))).toEqual([]);
    await write(ana, { title: "हिन्दी में" });
    expect(titles(await find("हनद"))).toEqual([]);
  });

  test("suggests a similar word for one that finds nothing", async () => {
    await write(ana, {
      title: "A cassowary in the garden",
      tags: ["bandicoot"],
      description: "Photography.",
    });
    const suggestion = async (query: string) => (await find(query)).suggestion;
    for (const [query, meant] of [
      ["casowary", "cassowary"],
      ["cassowayr garden", "cassowary garden"],
      ["badnicoot", "bandicoot"],
      ["photgoraphi", "photography"],
      ["gardan", "garden"],
    ])
      expect([query, await suggestion(query!)]).toEqual([query, meant]);
    for (const query of ["cassowary", "cassowary bridges", "zzzzzzzz", "gadn", "1234567", "ornithorhynchus"])
      expect([query, await suggestion(query)]).toEqual([query, undefined]);
    const people = callerFor(testSite, null).people;
    expect((await people({ query: "Mraia" })).suggestion).toBe("maria");
  });

  test("suggests no word that the viewer cannot read", async () => {
    await write(ana, { title: "Thylacine sightings", private: true });
    await write(ana, { title: "Numbers of pademelons", draft: true });
    expect((await find("thylacin sigthings")).suggestion).toBeUndefined();
    expect((await find("pademelins", ana)).suggestion).toBeUndefined();
    expect((await find("thylacina", eve)).suggestion).toBeUndefined();
    expect((await find("thylacina", ana)).suggestion).toBe("thylacine");
  });

  test("finds Chinese, Japanese, Korean and Thai anywhere, also by one or two characters", async () => {
    await write(ana, { title: "大東京の夜", document: paragraphs("昨日、新宿で猫に会いました。") });
    await write(ana, {
      title: "A walk in Seoul",
      tags: ["여행"],
      document: paragraphs("서울에서는 비가 왔다. 그리고 東京に行く。"),
    });
    await write(ana, { title: "AI入門", document: paragraphs("機械学習とは何か。") });
    await write(ana, { title: "กรุงเทพ", document: paragraphs("สวัสดีชาวโลก") });
    expect(titles(await find("東京"))).toEqual(["大東京の夜", "A walk in Seoul"]);
    expect(titles(await find("東京の"))).toEqual(["大東京の夜"]);
    expect(titles(await find("夜"))).toEqual(["大東京の夜"]);
    expect(titles(await find("新宿"))).toEqual(["大東京の夜"]);
    expect(titles(await find("猫 東京"))).toEqual(["大東京の夜"]);
    expect(titles(await find("서울"))).toEqual(["A walk in Seoul"]);
    expect(titles(await find("여행 walk"))).toEqual(["A walk in Seoul"]);
    expect(titles(await find("학습"))).toEqual([]);
    expect(titles(await find("AI 学習"))).toEqual(["AI入門"]);
    expect(titles(await find("สวัสดี"))).toEqual(["กรุงเทพ"]);
    const [blog] = (await find("東京 新宿")).blogs;
    expect(shown(blog?.highlights.title)).toBe("大[東京]の夜");
    expect(shown(blog?.highlights.snippet)).toBe("昨日、[新宿]で猫に会いました。");
  });

  test("finds parts of words in titles and tags after whole words", async () => {
    await write(ana, { title: "Zookeeping for two", tags: ["kangaroo-care"] });
    await write(ana, { title: "Keeping bees" });
    expect(titles(await find("keeping"))).toEqual(["Keeping bees", "Zookeeping for two"]);
    expect(shown((await find("okeep")).blogs[0]?.highlights.title)).toBe("Zo[okeep]ing for two");
    expect(titles(await find("ngaroo"))).toEqual(["Zookeeping for two"]);
    expect(titles(await find("kangaroocare"))).toEqual(["Zookeeping for two"]);
  });

  test("finds words joined by a dot, a hyphen or an apostrophe as one word", async () => {
    await write(ana, { title: "Streams without tears", tags: ["nodejs"] });
    await write(ana, { title: "Buffers in Node.js" });
    for (const query of ["Node Js", "node.js", "node-js"]) {
      expect([query, titles(await find(query)).toSorted()]).toEqual([
        query,
        ["Buffers in Node.js", "Streams without tears"],
      ]);
    }
    expect(shown((await find("buffers node-js")).blogs[0]?.highlights.title)).toBe(
      "[Buffers] in [Node].[js]",
    );
    await write(ana, { title: "Version 1.39.0 of it" });
    await write(ana, { title: "Don’t use version 1.0" });
    expect(titles(await find("1.0 version"))).toEqual(["Don’t use version 1.0"]);
    expect(shown((await find("don't 1.0")).blogs[0]?.highlights.title)).toBe("[Don’t] use version [1.0]");
  });

  test("treats query syntax and odd characters as plain text", async () => {
    await write(ana, {
      title: "Bilby AND NEAR OR NOT",
      description: "title: body",
      document: paragraphs('He said "bilby" (loudly) and left* ^there.'),
    });
    for (const query of [
      '"bilby',
      "bilby*",
      "bilby -",
      "(bilby",
      "bilby)",
      "{bilby}",
      "^bilby",
      "bilby:",
      "+bilby",
      "bil\u0000by".replace("\u0000", "") + "\u0000",
      "🎉 bilby 👩‍👩‍👧",
      "\u202ebilby\u202c",
      "bilby\u200b",
      "bilby'; --",
      "bilby \ud800",
      "NEAR bilby",
      "AND bilby",
      "bilby OR",
      "NOT bilby",
      'bilby "',
      "title:bilby",
    ]) {
      expect([query, titles(await find(query))]).toEqual([query, ["Bilby AND NEAR OR NOT"]]);
    }
    for (const query of ["🎉", '"', "***", "\u0301", "()", "%", "_", ":", "𞤀𞤁", "’"])
      expect([query, (await find(query)).blogs]).toEqual([query, []]);
    expect(titles(await find(`bilby ${"x".repeat(9_000)}`))).toEqual([]);
    expect(titles(await find(Array.from({ length: 60 }, () => "bilby").join(" ")))).toEqual([
      "Bilby AND NEAR OR NOT",
    ]);
    await expect(find("x".repeat(10_001))).rejects.toThrow("too long");
  });

  test("returns highlights as parts of text, with markup as text", async () => {
    const body = `${"Long before anything happens there is a morning. ".repeat(30)}Then the <b>potoroo</b> & its potoroos <script>alert(1)</script> came along. ${"And long after that it was evening again. ".repeat(30)}`;
    await write(ana, {
      title: "The <i>potoroo</i> and the potoroos",
      description: 'A "potoroo" & more',
      document: paragraphs(body),
    });
    const [blog] = (await find("potoroo came")).blogs;
    expect(shown(blog?.highlights.title)).toBe("The <i>[potoroo]</i> and the potoroos");
    expect(joined(blog?.highlights.title)).toBe(blog?.title);
    expect(shown(blog?.highlights.description)).toBe('A "[potoroo]" & more');
    const snippet = shown(blog?.highlights.snippet);
    expect(snippet).toContain(
      "Then the <b>[potoroo]</b> & its potoroos <script>alert(1)</script> [came] along.",
    );
    expect(snippet).toMatch(/^…\S.*\S…$/);
    expect(joined(blog?.highlights.snippet).length).toBeLessThan(230);
    const [typing] = (await find("potoro")).blogs;
    expect(shown(typing?.highlights.title)).toBe("The <i>[potoro]o</i> and the [potoro]os");
    const [byTitle] = (await find("the potoroos and")).blogs;
    expect(byTitle?.highlights.description).toEqual([{ text: 'A "potoroo" & more', hit: false }]);
  });

  test("begins the snippet at the start of a text without the words", async () => {
    await write(ana, { title: "Bandicoot", document: paragraphs("Nothing of the kind here.") });
    expect((await find("bandicoot")).blogs[0]?.highlights.snippet).toEqual([
      { text: "Nothing of the kind here.", hit: false },
    ]);
  });

  test("reflects edits, drafts, deletions and publications at once", async () => {
    const { id } = await write(ana, {
      title: "Echidna",
      tags: ["spines"],
      document: paragraphs("It eats ants."),
    });
    expect(titles(await find("echidna"))).toEqual(["Echidna"]);
    await ana.api.blogs.update.mutate({
      id,
      title: "Platypus",
      tags: ["venom"],
      etag: 1,
      document: paragraphs("It eats shrimps."),
    });
    for (const word of ["echidna", "spines", "ants", "chidn"]) expect(titles(await find(word))).toEqual([]);
    for (const word of ["platypus", "venom", "shrimps", "atypu"])
      expect(titles(await find(word))).toEqual(["Platypus"]);
    await eve.api.social.likeBlog.mutate({ blogId: id, liked: true });
    expect((await find("platypus")).blogs[0]).toMatchObject({ likesCount: 1, liked: false });
    expect((await find("platypus", eve)).blogs[0]).toMatchObject({ liked: true });
    await ana.api.blogs.update.mutate({ id, draft: true });
    expect(await find("platypus", ana)).toMatchObject({ blogs: [], total: 0 });
    await ana.api.blogs.update.mutate({ id, draft: false });
    expect(titles(await find("platypus"))).toEqual(["Platypus"]);
    await ana.api.blogs.remove.mutate({ id });
    expect(titles(await find("platypus"))).toEqual([]);
  });

  test("neither finds nor counts what the viewer may not read", async () => {
    const rob = await testSite.createAccount("Rob");
    const fan = await testSite.createAccount("Fan");
    await fan.api.social.follow.mutate({ userId: rob.me.id, follow: true });
    await write(rob, { title: "Tarsier in public" });
    await write(rob, { title: "Tarsier for followers", private: true });
    await write(rob, { title: "Tarsier unfinished", draft: true });
    expect(await find("tarsier")).toMatchObject({
      blogs: [{ title: "Tarsier in public" }],
      total: 1,
      hasMore: false,
    });
    expect(await find("tarsier", eve)).toMatchObject({ blogs: [{ title: "Tarsier in public" }], total: 1 });
    expect((await find("tarsier", fan)).total).toBe(2);
    expect(await find("tarsier", rob)).toMatchObject({ total: 2 });
    await rob.api.users.updateSettings.mutate({ private: true });
    expect(await find("tarsier")).toMatchObject({ blogs: [], total: 0, hasMore: false });
    expect((await find("tarsier", fan)).total).toBe(2);
    await rob.api.social.removeFollower.mutate({ userId: fan.me.id });
    expect((await find("tarsier", fan)).blogs).toEqual([]);
    expect(titles(await find("", eve)).some((title) => title.startsWith("Tarsier"))).toBe(false);
  });

  test("lists the newest blogs and no people without a query", async () => {
    const { slug } = await write(ana, { title: "The very newest" });
    const list = await find("  \u200b ");
    expect(list.blogs).toHaveLength(3);
    expect(list.hasMore).toBe(true);
    expect(list.blogs[0]).toMatchObject({
      slug,
      highlights: { title: [{ text: "The very newest", hit: false }] },
    });
    expect(list).not.toHaveProperty("total");
    expect(await callerFor(testSite, null).people({})).toMatchObject({ people: [], page: 1, hasMore: false });
  });

  test("limits how many results an API client can request", async () => {
    const firstTwenty = await searchBlogs(contextOf(testSite, null), { query: "", page: 1 }, 20);
    expect(firstTwenty.blogs).toHaveLength(20);
    expect(
      (await searchBlogs(contextOf(testSite, null), { query: "", page: 1 }, 1e9)).blogs.length,
    ).toBeLessThanOrEqual(maxFound);
    expect(
      (await searchBlogs(contextOf(testSite, null), { query: "quokka", page: 1 }, 2)).blogs,
    ).toHaveLength(2);
    expect(
      (await searchBlogs(contextOf(testSite, null), { query: "quokka", page: Number.MAX_SAFE_INTEGER }))
        .blogs,
    ).toEqual([]);
  });

  test("finds verified people by name, username and bio, and by a changed name at once", async () => {
    const people = async (query: string, viewer: SignedInBrowser | null = null) =>
      (await callerFor(testSite, viewer).people({ query })).people;
    const names = async (query: string) => (await people(query)).map(({ name }) => name);
    expect(await names("maria")).toEqual(["Ana María Ruiz"]);
    expect(await names("ana ru")).toEqual(["Ana María Ruiz"]);
    expect(await names("namar")).toEqual(["Ana María Ruiz"]);
    const [person] = await people("ruiz maria");
    expect(shown(person?.highlights.name)).toBe("Ana [María] [Ruiz]");
    const guest = testSite.browser();
    await guest.api.users.signUp.mutate({
      name: "Zebulon Unverified",
      email: "zeb@example.org",
      password: "correct horse battery",
    });
    expect(await names("zebulon")).toEqual([]);
    await guest.api.users.verifyEmail.mutate({
      token: await testSite.mailedToken("zeb@example.org", "verify-email"),
    });
    expect(await names("zebulon")).toEqual(["Zebulon Unverified"]);
    const zoe = await testSite.createAccount("Zoë 東京子");
    await zoe.api.users.updateProfile.mutate({
      name: "Zoë Ångström",
      bio: "Collects galoshes. 編集者です。",
    });
    expect(await names("galosh")).toEqual(["Zoë Ångström"]);
    expect(await names("angstrom zoe")).toEqual(["Zoë Ångström"]);
    expect(await names("東京")).toEqual([]);
    expect(await names("編集")).toEqual(["Zoë Ångström"]);
    await zoe.api.users.updateProfile.mutate({ username: "z.angstrom" });
    expect((await people("@z.angstrom", eve))[0]).toMatchObject({
      username: "z.angstrom",
      follow: "follow",
      highlights: {
        username: [{ text: "z.angstrom", hit: true }],
      },
    });
    await eve.api.social.follow.mutate({ userId: zoe.me.id, follow: true });
    expect((await people("zoe", eve))[0]?.follow).toBe("following");
    expect((await people("zoe", zoe))[0]?.follow).toBe("self");
    expect(JSON.stringify(await people("zoe"))).not.toContain("@example");
    await zoe.api.users.updateSettings.mutate({ private: true });
    expect(await names("zoe")).toEqual(["Zoë Ångström"]);
    await zoe.api.users.remove.mutate({ password });
    expect(await names("zoe")).toEqual([]);
  });

  test("ranks an exact username first", async () => {
    await addAccount(testSite.app.services, {
      name: "Kim Kim Kim",
      email: "kim1@example.org",
      password: "correct horse battery",
      username: "kimberley",
    });
    await addAccount(testSite.app.services, {
      name: "Somebody",
      email: "kim2@example.org",
      password: "correct horse battery",
      username: "kim",
    });
    expect(
      (await callerFor(testSite, null).people({ query: "Kim" })).people.map(({ username }) => username),
    ).toEqual(["kim", "kimberley"]);
  });

  test("no longer finds what a deleted account wrote", async () => {
    const sam = await testSite.createAccount("Sam Leaving");
    await write(sam, { title: "A thylacine, perhaps", document: paragraphs("これは袋狼です。") });
    expect(titles(await find("thylacine"))).toEqual(["A thylacine, perhaps"]);
    await sam.api.users.remove.mutate({ password });
    for (const query of ["thylacine", "hylacin", "袋狼"]) expect(titles(await find(query))).toEqual([]);
  });

  test("leaves the index unchanged by a failed write, and other writes in it", async () => {
    const { database } = testSite.app.services;
    const committed = write(ana, { title: "Kept numbfish" });
    const rolledBack = database.write(async (tx) => {
      await execute(tx, sql`update blogs set title = 'Lost numbfish' where draft = 0`);
      await execute(tx, sql`delete from users where id = ${eve.me.id}`);
      throw new Error("no");
    });
    await Promise.all([committed, expect(rolledBack).rejects.toThrow("no")]);
    expect(titles(await find("numbfish"))).toEqual(["Kept numbfish"]);
    expect((await callerFor(testSite, null).people({ query: "eve" })).people).toHaveLength(1);
  });

  test("keeps exactly the existing rows in the indexes", async () => {
    const { integrity } = await checkAndRepair(testSite.app.services.database);
    expect(integrity).toEqual(["ok"]);
    const rows = (query: string) => testSite.rows<{ seq: number }>(query).map(({ seq }) => seq);
    const published = rows("select seq from blogs where draft = 0 order by 1");
    expect(rows(indexedNumbers("blogs"))).toEqual(published);
    const verified = rows("select seq from users where verified_at is not null order by 1");
    expect(rows(indexedNumbers("people"))).toEqual(verified);
    if (isPostgres) return;
    expect(rows("select id as seq from blog_pieces_docsize order by 1")).toEqual(published);
    expect(rows("select id as seq from people_pieces_docsize order by 1")).toEqual(verified);
  });
});

test("ranks a bounded number of hits for a word in twenty thousand blogs", async () => {
  await using testSite = await startTestSite();
  const ana = await addAccount(testSite.app.services, {
    name: "Ana",
    email: "a@example.org",
    password: "correct horse battery",
  });
  const bob = await addAccount(testSite.app.services, {
    name: "Bob",
    email: "b@example.org",
    password: "correct horse battery",
  });
  const insert = (first: number, last: number, author: string, isPrivate: number) =>
    testSite.run(sql`
      insert into blogs (id, slug, author_id, title, description, tags, document, html, text, excerpt, words, reading_minutes, draft, private, created_at, published_at)
      select substr(cast(100000000 + n as text), 2) || '-' || substr(cast(${newId()} as text), 10), 'blog-' || n, ${author}, 'Ordinary ' || n, '', '["everyday"]', '{}', '', 'an everyday ordinary text', '', 4, 1, 0, cast(${isPrivate} as int), n, n
      from (with recursive numbers(n) as (select cast(${first} as bigint) union all select n + 1 from numbers where n < ${last}) select n from numbers) as numbered`);
  for (let first = 1; first < 18_000; first += 3_000) await insert(first, first + 2_999, ana.id, 0);
  await insert(18_001, 20_000, bob.id, 1);
  const guest = await callerFor(testSite, null).blogs({ query: "ordinary everyday" });
  // Two thousand newer private blogs do not displace the others for guests.
  expect(guest.blogs).toHaveLength(3);
  expect(guest.total).toBe(maxRanked);
  expect(guest.blogs.every(({ author }) => author.username === "ana")).toBe(true);
  expect(titles(await callerFor(testSite, null).blogs({ query: "17999" }))).toEqual(["Ordinary 17999"]);
  expect(titles(await callerFor(testSite, null).blogs({ query: "19999" }))).toEqual([]);
  expect(titles(await callerFor(testSite, { me: bob }).blogs({ query: "19999" }))).toEqual([
    "Ordinary 19999",
  ]);
});
