import { describe, expect, test } from "vitest";
import { openMarkdown } from "../../../../src/server/imports/markdown/source.ts";
import { readSource, filesOf } from "../../../support/exports/files.ts";

/* What static site generators know and Markdown does not: nothing that was not public is imported as public. */

const read = async (files: Record<string, string>) => readSource(await openMarkdown(filesOf(files)));
const titled = (fields = "", text = "Words.") => `---\ntitle: A title\n${fields}\n---\n${text}\n`;
/** Returns the post of a single file. */
const importOne = async (text: string, file = "a.md") => {
  const { posts, others } = await read({ [file]: text });
  expect(others).toEqual({});
  return posts[file]!;
};

describe("a comment in a post", () => {
  test.each([
    ["{% comment %}", "{% endcomment %}"],
    ["{%- comment -%}\n```\n", "\n```\n{%- endcomment -%}"],
    ["{% # ", " %}"],
    ["{{% comment %}}", "{{% /comment %}}"],
    ['{{< comment "why" >}}\n', "\n{{</ comment >}}"],
    ["{# ", " #}"],
    ["{/* ", " */}"],
    ["{{/* ", " */}}"],
    ["{::comment}\n", "\n{:/comment}"],
  ])("is removed as a whole: %j … %j", async (start, end) => {
    const { body, hidden } = await importOne(titled("", `Before ${start}secret${end} after.`));
    expect(body.text).toBe("Before  after.\n");
    expect(hidden).toBeNull();
  });

  test.each([
    "`{% comment %}a{% endcomment %}`",
    "```\n{% comment %}a{% endcomment %}\n{# b #}\n```",
    "~~~\n{{< comment >}}a{{< /comment >}}\n~~~~",
    "Words {#part-one} and #}",
    "```a``` b",
  ])("stays where it is code, or no comment: %j", async (text) => {
    const post = await importOne(titled("", text));
    expect(post.body.text).toBe(`${text}\n`);
    expect(post).toMatchObject({ hidden: null, problems: [] });
  });

  test.each([
    "No end: {/* secret",
    "{% comment %} secret",
    "{{< comment >}} secret",
    "{% comment %}{% comment %} a {% endcomment %} secret",
  ])("hides the post when it does not end: %j", async (text) => {
    expect((await importOne(titled("", text))).hidden).toBe("it has a comment without an end");
  });
});

test.each([
  ["{% if a %}one{% else %}two{% endif %}", "“if”"],
  ["{%- unless a -%}one{%- endunless -%}", "“unless”"],
  ["{% for a in b %}one{% endfor %}", "“for”"],
  ["{% case a %}{% when 1 %}one{% endcase %}", "“case”"],
  ["{{% private %}}one{{% /private %}}", "“private”"],
  ["{%+ if a", "“if”"],
  [`{% if ${"a ".repeat(2_000)}%}one{% endif %}`, "“if”"],
  ["{% highlight js %}{% if a %}one{% endif %}{% endhighlight %}", "code"],
])("hides a post with a conditional or private part: %s", async (text, reason) => {
  expect((await importOne(titled("", text))).hidden).toContain(reason);
  for (const visibleText of [`\`${text}\``, `\`\`\`\n${text}\n\`\`\``])
    expect((await importOne(titled("", visibleText))).hidden).toBeNull();
});

test("hides a post whose conditional part follows code in three backticks", async () => {
  expect((await importOne(titled("", "```a``` {% if b %}one{% endif %}"))).hidden).toContain("“if”");
});

test.each([
  [
    "a shortcode named raw",
    "{{< raw >}}a{{< comment >}}secret{{< /comment >}}{{< private >}}secret{{< /private >}}{{< /raw >}}",
  ],
  ["a comment around the end of another kind", "{% comment %}a{{< /comment >}}secret{% endcomment %}"],
  ["a long comment on one line", `{% # ${"long ".repeat(500)}secret %}`],
])("removes or hides what is private in %s", async (_, text) => {
  const { body, hidden } = await importOne(titled("", `Before ${text} after.`));
  expect(hidden !== null || !body.text.includes("secret")).toBe(true);
});

test.each([
  "{% highlight html %}{% raw %}x{% endraw %}{% if members %}secret{% endif %}{% endhighlight %}",
  "<!-- {% comment %} -->secret<!-- {% endcomment %} -->",
])("hides a text with a condition where tags stay as they are: %s", async (text) => {
  expect((await importOne(titled("", text))).hidden).not.toBeNull();
});

/** Returns why each file is hidden or left out; null where it is neither. */
async function reasonsByFile(files: Record<string, string>): Promise<Record<string, string | null>> {
  const { posts, others } = await read(files);
  return {
    ...Object.fromEntries(Object.values(posts).map(({ file, hidden }) => [file, hidden])),
    ...others,
  };
}

describe("a file that affects others", () => {
  const bundle = {
    "content/posts/trip/index.md": titled("draft: true"),
    "content/posts/trip/day1.md": titled(),
    "content/posts/trip/more/day2.md": titled(),
    "content/posts/trip/more/index.md": titled(),
    "content/posts/both/index.en.md": titled(),
    "content/posts/both/index.fr.md": titled(),
    "content/posts/one.md": titled(),
  };

  test("imports no attachments of a Hugo page", async () => {
    const hanging = "an attachment of content/posts/trip/index.md, not a post";
    for (const hugo of ["hugo.toml", "config.yaml", "config/_default/hugo.yaml", "archetypes/default.md"])
      expect(await reasonsByFile({ ...bundle, [hugo]: "" })).toMatchObject({
        "content/posts/trip/index.md": "draft: true",
        "content/posts/trip/day1.md": hanging,
        "content/posts/trip/more/day2.md": hanging,
        "content/posts/trip/more/index.md": hanging,
        "content/posts/both/index.en.md": null,
        "content/posts/both/index.fr.md": null,
        "content/posts/one.md": null,
      });
  });

  test("hides a file that may be an attachment as its page is hidden", async () => {
    const hidden = "content/posts/trip/index.md says draft: true";
    const zola = { "config.toml": "base_url = 'https://old.example'" };
    for (const settings of [{}, zola] as Record<string, string>[])
      expect(await reasonsByFile({ ...bundle, ...settings })).toMatchObject({
        "content/posts/trip/day1.md": hidden,
        "content/posts/trip/more/day2.md": hidden,
        "content/posts/both/index.fr.md": null,
        "content/posts/one.md": null,
      });
  });

  test.each([
    ["+++\n[[cascade]]\ndraft = true\n+++\n", "draft: true"],
    ["---\ncascade: {build: {render: never}}\n---\n", "render: never"],
    ["+++\n[cascade.params]\nprivate = true\n+++\n", "private: true"],
    ["---\ntitle: [\n---\n", "The front matter is not valid YAML"],
  ])("hides all posts of a section whose page cascades its fields: %j", async (section, reason) => {
    const files = { "content/a/_index.md": section, "content/a/b/c.md": titled(), "content/d.md": titled() };
    const reasons = await reasonsByFile(files);
    expect(reasons["content/a/b/c.md"]).toContain(`content/a/_index.md says ${reason}`);
    expect(reasons["content/d.md"]).toBeNull();
  });

  test("hides the posts below a section's page that is a draft or cannot be read, not one that is not rendered", async () => {
    expect(
      await reasonsByFile({
        "hugo/_index.md": '+++\ntitle = "Closed"\n[build]\nrender = "never"\n+++\n',
        "hugo/one.md": "# One\n",
        "zola/_index.md": "+++\nrender = false\n+++\n",
        "zola/one.md": "# One\n",
        "closed/_index.md": "+++\ndraft = true\n+++\n",
        "closed/one.md": "# One\n",
        "broken/_index.md": "+++\ntitle = \n+++\n",
        "broken/two.md": "# Two\n",
      }),
    ).toMatchObject({
      "hugo/one.md": null,
      "zola/one.md": null,
      "closed/one.md": "closed/_index.md says draft: true",
      "broken/two.md": expect.stringContaining("not valid TOML"),
    });
  });

  test("imports the posts alone of a Jekyll site", async () => {
    const reasons = await reasonsByFile({
      "_posts/2020-01-01-a.md": "# A\n",
      "_drafts/b.md": "# B\n",
      "pages/c.md": "# C\n",
      "index.md": "# D\n",
    });
    expect(reasons).toEqual({
      "_posts/2020-01-01-a.md": null,
      "_drafts/b.md": "it is in _drafts",
      "pages/c.md": expect.stringContaining("page"),
      "index.md": expect.stringContaining("page"),
    });
  });

  test("hides the posts that Eleventy's data files hide", async () => {
    expect(
      await reasonsByFile({
        "posts/x/x.json": '{"draft": true}',
        "posts/x/a.md": titled(),
        "posts/x/deep/b.md": titled(),
        "posts/y/y.11tydata.json": '{"permalink": false}',
        "posts/y/a.md": titled(),
        "posts/z/z.json": "{",
        "posts/z/a.md": titled(),
        "posts/p/p.11tydata.js": "module.exports = {}",
        "posts/p/a.md": titled(),
        "posts/q/q.json": '["draft"]',
        "posts/q/a.md": titled(),
        "posts/q/b.11tydata.json": '{"tags": "x"}',
        "posts/q/b.md": titled(),
        "posts/q/c.json": '{"published": false}',
        "posts/q/c.md": titled(),
        "posts/q/other.json": '{"draft": true}',
      }),
    ).toEqual({
      "posts/x/a.md": "posts/x/x.json says draft: true",
      "posts/x/deep/b.md": "posts/x/x.json says draft: true",
      "posts/y/a.md": "posts/y/y.11tydata.json says permalink: false",
      "posts/z/a.md": expect.stringContaining("posts/z/z.json says"),
      "posts/p/p.11tydata.js":
        "a program that may hide posts. It was not run, so please check the imported posts",
      "posts/p/a.md": null,
      "posts/q/a.md": null,
      "posts/q/b.md": null,
      "posts/q/c.md": "posts/q/c.json says published: false",
    });
  });

  test("hides all posts of a Jekyll site whose settings hide some of them", async () => {
    const reasonWith = async (values: string) =>
      (
        await reasonsByFile({
          "_config.yml": `defaults:\n  - scope: { path: old }\n    values: ${values}\n`,
          "_posts/2020-01-01-a.md": titled(),
        })
      )["_posts/2020-01-01-a.md"];
    expect(await reasonWith("{ published: false }")).toBe(
      "_config.yml has published: false among its defaults",
    );
    expect(await reasonWith("{ layout: post }")).toBeNull();
  });
});

test("makes files without front matter drafts where others have it, and imports them where none has", async () => {
  const files = {
    "CLAUDE.md": "# What to know\n",
    "docs/plan.md": "# The plan\n",
    "notes/lines.md": "Title: Lines\n\nWords.\n",
    "README.md": titled(),
  };
  const reason = "it has no front matter, unlike other files here";
  for (const [file, text] of [
    ["src/content/blog/one.md", titled()],
    ["one.md", "---\n---\n# One\n"],
    ["one.md", "---\ntitle: [\n---\n"],
  ] as const)
    expect(await reasonsByFile({ ...files, [file]: text })).toMatchObject({
      "CLAUDE.md": reason,
      "docs/plan.md": reason,
      "notes/lines.md": null,
    });
  const { "notes/lines.md": _, ...plain } = files;
  expect(await reasonsByFile(plain)).toMatchObject({ "CLAUDE.md": null, "docs/plan.md": null });
});

test("recognizes a page by the name of its folder", async () => {
  const page = "a page, not a post";
  expect(
    await reasonsByFile({
      "content/about/index.md": titled(),
      "content/index.md": titled(),
      "content/posts/owls/index.md": titled(),
      "content/posts/about/index.md": titled("date: 2020-01-01"),
    }),
  ).toEqual({
    "content/about/index.md": page,
    "content/index.md": page,
    "content/posts/owls/index.md": null,
    "content/posts/about/index.md": null,
  });
});

test("reads the former paths of posts and the base path from a site's settings", async () => {
  const addressesOf = async (files: Record<string, string>) => {
    const source = await openMarkdown(filesOf(files));
    const { posts } = await readSource(source);
    return { origins: source.origins, paths: Object.values(posts)[0]?.paths };
  };
  const origins = ["https://old.example"];
  expect(
    await addressesOf({
      "_config.yml": "url: https://old.example\nbaseurl: /blog\npermalink: /:title/\n",
      "_posts/2020-01-02-owls.md": titled(),
    }),
  ).toEqual({ origins, paths: ["/owls/", "/blog/owls/"] });
  expect(
    await addressesOf({
      "hugo.toml": 'baseURL = "https://old.example/notes/"\n[permalinks.page]\nposts = "/:year/:slug/"\n',
      "content/posts/owls.md": titled("slug: hoot\ndate: 2020-01-02"),
    }),
  ).toEqual({ origins, paths: ["/2020/hoot/", "/notes/2020/hoot/"] });
  expect(
    await addressesOf({
      "astro.config.mjs": "export default {\n  site: 'https://old.example',\n  base: '/docs' }",
      "src/content/posts/owls.md": titled(),
    }),
  ).toEqual({ origins, paths: ["/posts/owls", "/docs/posts/owls"] });
});

test("reads texts without a language and times without an offset as the site's settings say", async () => {
  const date = "date: 2020-07-01 09:00:00";
  const postWith = async (settings: Record<string, string>, name: string, fields = date) => {
    const { posts } = await readSource(await openMarkdown(filesOf({ ...settings, [name]: titled(fields) })));
    const { language, publishedAt, slug } = posts[name]!;
    return [language, publishedAt?.toISOString(), slug];
  };
  const jekyll = { "_config.yml": "lang: de\ntimezone: Europe/Berlin\n" };
  const berlin = "2020-07-01T07:00:00.000Z";
  const name = "_posts/2020-07-01-owls.md";
  expect(await postWith(jekyll, name)).toEqual(["de", berlin, "owls"]);
  expect(await postWith(jekyll, name, `${date} +0000\nlang: en`)).toEqual([
    "en",
    "2020-07-01T09:00:00.000Z",
    "owls",
  ]);
  expect(await postWith(jekyll, name, "date: 2020-07-01")).toEqual([
    "de",
    "2020-07-01T00:00:00.000Z",
    "owls",
  ]);
  expect(await postWith({ "_config.yml": "timezone: Nowhere/Else\n" }, name)).toEqual([
    undefined,
    "2020-07-01T09:00:00.000Z",
    "owls",
  ]);
  const hugo = {
    "hugo.toml":
      "languageCode = 'en-us'\ndefaultContentLanguage = 'de'\ntimeZone = 'Europe/Berlin'\n[languages.de]\n[languages.fa]\n",
  };
  expect(await postWith(hugo, "content/posts/owls.md")).toEqual(["de", berlin, "owls"]);
  expect(await postWith(hugo, "content/posts/owls/index.fa.md")).toEqual(["fa", berlin, "owls-fa"]);
  const folder = { "config/_default/languages.toml": "[fr]\nweight = 1\n" };
  expect((await postWith(folder, "content/posts/owls.fr.md"))[0]).toBe("fr");
  expect((await postWith(folder, "content/posts/node.js.md"))[0]).toBeUndefined();
});

test("finds a picture below the site's base path", async () => {
  const source = await openMarkdown(
    filesOf({
      "site/hugo.toml": 'baseURL = "https://old.example/notes/"',
      "site/content/a.md": titled(),
      "site/static/a.png": "x",
    }),
  );
  for (const name of ["/notes/a.png", "https://old.example/notes/a.png", "/a.png"])
    expect((await source.file({ file: "site/content/a.md" }, name, 10)).toString()).toBe("x");
});

test("imports posts with other extensions, or lists them with a reason", async () => {
  const reason = "only Markdown and HTML with front matter are imported";
  const { posts, others } = await read({
    "_posts/2020-01-01-h.html": titled(
      "",
      "<p>See {% post_url 2020-01-02-k %}</p>\n{% comment %}x{% endcomment %}{% odd %}",
    ),
    "_posts/2020-01-02-k.mkd": titled(),
    "_posts/2020-01-03-l.mkdown": titled(),
    "_posts/2020-01-04-m.markdown": titled(),
    "_posts/2020-01-05-part.html": "<p>Part</p>",
    "_posts/2020-01-06-n.textile": titled(),
    "_posts/2020-01-07-o.txt": titled(),
    "notes.adoc": "= Notes",
    "index.html": titled(),
    "assets/posts/a.html": titled(),
    "_includes/head.html": titled(),
    "robots.txt": "",
  });
  expect(Object.keys(posts)).toEqual([
    "_posts/2020-01-01-h.html",
    "_posts/2020-01-02-k.mkd",
    "_posts/2020-01-03-l.mkdown",
    "_posts/2020-01-04-m.markdown",
  ]);
  expect(others).toEqual({
    "_posts/2020-01-05-part.html": "HTML without front matter: a page or template",
    "_posts/2020-01-06-n.textile": reason,
    "_posts/2020-01-07-o.txt": reason,
    "notes.adoc": reason,
  });
  expect(posts["_posts/2020-01-01-h.html"]).toMatchObject({
    body: { kind: "html", text: "<p>See @/2020-01-02-k</p>\n\n" },
    problems: ["Skipped a part that only the old site supports (kept the text within): odd"],
  });
  const stories = filesOf({ "posts/2020-01-01_A-0123456789ab.html": "<p>Of Medium</p>" });
  await expect(openMarkdown(stories)).rejects.toThrow("no Markdown files");
});

test("leaves HTML comments, and removes the program at the start of an MDX file", async () => {
  const text = "A <!-- {{< youtube a >}} secret --> b <!-- more -->";
  expect((await importOne(titled("", text))).body.text).toBe(`${text}\n`);
  const program = "import A from './a';\nimport './b';\n\nexport const x = {\n  a: 1,\n};\n\n";
  const mdx = await importOne(titled("", `\n${program}Words.\n\nimport stays in words`), "a.mdx");
  expect(mdx.body.text.trim()).toBe("Words.\n\nimport stays in words");
});
