import { describe, expect, test } from "vitest";
import { documentToHtml } from "../../../../src/shared/document/to-html.ts";
import { markdownToDocument } from "../../../../src/server/imports/markdown/markdown.ts";
import { AddressBook } from "../../../../src/server/imports/address-book.ts";
import { formerPathsOf } from "../../../../src/server/imports/markdown/former-paths.ts";
import { readPost } from "../../../../src/server/imports/markdown/front-matter.ts";
import { convertTags } from "../../../../src/server/imports/markdown/template-tags.ts";
import { parsedDate } from "../../../../src/server/imports/reading/dates.ts";

const options = {
  resolveImage: (path: string) => ({ src: `/media/${path.replace(/\W/g, "")}`, width: 0, height: 0 }),
  resolveLink: (href: string) => `https://link.example/${href}`,
};
async function convert(markdown: string) {
  const { text, unknown } = convertTags(markdown);
  const { document } = await markdownToDocument(text, options);
  return { html: documentToHtml(document), unknown };
}

describe("tags of static site generators in Markdown", () => {
  test.each<[string, string, RegExp | RegExp[]]>([
    [
      "Hugo's figure",
      '{{< figure src="a.png" alt="An owl" caption="By night" width="300" >}}',
      [
        /<img src="\/media\/apng" alt="An owl"[^>]* width="300"/,
        /<figcaption>By night<\/figcaption><\/figure>/,
      ],
    ],
    [
      "Jekyll's figure",
      '{% include figure.html src="/a.png" caption="By day" %}',
      [/<img src="\/media\/apng"/, /<figcaption>By day<\/figcaption><\/figure>/],
    ],
    [
      "Hugo's YouTube",
      "{{< youtube w7Ft2ymGmfc >}}",
      /href="https:\/\/www\.youtube\.com\/watch\?v=w7Ft2ymGmfc"/,
    ],
    ["Zola's YouTube", '{{ youtube(id="w7Ft2ymGmfc") }}', /watch\?v=w7Ft2ymGmfc/],
    ["Jekyll's YouTube", '{% include youtube.html id="w7Ft2ymGmfc" %}', /watch\?v=w7Ft2ymGmfc/],
    ["Vimeo", "{{< vimeo 146022717 >}}", /https:\/\/vimeo\.com\/146022717/],
    ["a gist", "{{< gist spf13 7896402 >}}", /gist\.github\.com\/spf13\/7896402/],
    ["Hugo's ref", '[b]({{< ref "b.md#part" >}})', /href="https:\/\/link\.example\/@\/b\.md#part"/],
    ["Jekyll's post_url", "[b]({% post_url 2020-01-02-b %})", /link\.example\/@\/2020-01-02-b"/],
    ["Jekyll's baseurl", "[b]({{ site.baseurl }}/b/)", /link\.example\/\/b\/"/],
    ["Jekyll's relative_url", '[b]({{ "/b/" | relative_url }})', /link\.example\/\/b\/"/],
    [
      "Hugo's highlight",
      "{{< highlight go >}}\nx := {{ 1 }}\n{{< /highlight >}}",
      /data-language="go">x := \{\{ 1 \}\}/,
    ],
    ["Jekyll's highlight", "{% highlight ruby %}\nputs 1\n{% endhighlight %}", /data-language="ruby">puts 1/],
    [
      "a tag in highlighted code",
      "{% highlight html %}\n{% raw %}{% if a %}{% endraw %}\n{% endhighlight %}",
      /data-language="html">\{% if a %\}\n</,
    ],
    ["kramdown's width", '![a](a.png){: width="200"} ![b](b.png){width=20}', /<img[^>]*> <img[^>]*><\/p>$/],
    [
      "lists of tasks",
      "- [ ] Bread\n- [x] Soup\n",
      [/data-checked="false"><input[^>]*><p>Bread</, /data-checked="true"><input[^>]*><p>Soup</],
    ],
    [
      "what folds out",
      "<details><summary>More</summary>\n\nHidden words.\n\n</details>",
      [/<details><summary>More<\/summary><p>Hidden words\.<\/p><\/details>/],
    ],
    ["kramdown's classes", "Words.\n{: .lead}\n", /^<p>Words\.<\/p>$/],
    [
      "attributes of a heading",
      '## One {#part-one}\n\n## Two {: #two .wide}\n\n### Three {.a key="v w"} ',
      /<h2 id="h-one">One<\/h2><h2 id="h-two">Two<\/h2><h3 id="h-three">Three<\/h3>/,
    ],
    [
      "attributes of links and words",
      "[a](https://a.example){: .btn}, [b](https://b.example){target=_blank} **c**{:.x} `d`{:.language-ruby}",
      [/>a<\/a>, /, />b<\/a> <strong>c<\/strong> <code>d<\/code><\/p>/],
    ],
    [
      "attributes on a line",
      "> Said.\n\n{.wide #it}\n\nWords {a}, {1,2} and {:ok, x}.",
      />Words \{a\}, \{1,2\} and \{:ok, x\}\.<\/p>/,
    ],
  ])("%s", async (_, markdown, expected) => {
    const { html, unknown } = await convert(markdown);
    for (const pattern of [expected].flat()) expect(html).toMatch(pattern);
    expect(html).not.toMatch(/\{[{%:]\s*[<%.]|[%>]\}\}/);
    expect(unknown).toEqual([]);
  });

  test("keep the text within an unknown one, whose name is reported", async () => {
    expect(
      await convert('Before\n\n{{< notice tip >}}\nWithin\n{{< /notice >}}\n\n{% myplugin "x" %}'),
    ).toEqual({
      html: "<p>Before</p><p>Within</p>",
      unknown: ["notice", "myplugin"],
    });
    const { unknown } = await convert("{% if a %}one{% else %}two{% endif %}");
    expect(unknown).toEqual(["if", "else"]);
  });

  test("leave no expression of the old site's as text, and report it", async () => {
    expect(await convert("On {{ page.title }}, {{ site.author | escape }}: `{{ page.title }}`")).toEqual({
      html: "<p>On , : <code>{{ page.title }}</code></p>",
      unknown: ["page.title", "site.author"],
    });
  });

  test("stay as text where Hugo would show a tag", async () => {
    for (const text of ["{{</* x 1 */>}}", "`{{</* x 1 */>}}`", "```\n{{</* x 1 */>}}\n```"]) {
      const { html, unknown } = await convert(text);
      expect(html).toMatch(/\{\{&lt; x 1 &gt;\}\}/);
      expect(unknown).toEqual([]);
    }
    expect((await convert("{{%/* x */%}}")).html).toBe("<p>{{% x %}}</p>");
  });

  test("all stay in code", async () => {
    const { html, unknown } = await convert(
      '`{{< youtube id >}}`\n\n```\n{{< ref "b" >}} {% raw %} - [ ] x\n```\n',
    );
    expect(html).toContain("{{&lt; youtube id &gt;}}");
    expect(html).toContain("{{&lt; ref &quot;b&quot; &gt;}} {% raw %} - [ ] x");
    expect(unknown).toEqual([]);
  });
});

test("reads captions, and players and gists as links from HTML in Markdown", async () => {
  const mapped: string[] = [];
  const { document, problems } = await markdownToDocument(
    `<figure><img src="a.png"><figcaption>Soup</figcaption></figure>
<video controls><source src="https://example.org/v.mp4"></video>
<video src="v.mp4"></video>
<script src="https://gist.github.com/ana/1.js"></script>
<script>alert(1)</script>`,
    { ...options, resolveAddress: (href) => (mapped.push(href), null) },
  );
  // Players of the old site are reported like links to it.
  expect(mapped).toContain("https://example.org/v.mp4");
  const html = documentToHtml(document);
  expect(html).toContain("<figcaption>Soup</figcaption></figure>");
  expect(html).toContain('href="https://example.org/v.mp4"');
  expect(html).toContain('href="https://gist.github.com/ana/1"');
  expect(html).not.toContain("alert");
  expect(problems).toEqual(["Skipped a video: v.mp4", "Skipped a script"]);
});

test.each([
  ["2020-1-2", "2020-01-02T00:00:00.000Z"],
  ["2020-01-02 9:05", "2020-01-02T09:05:00.000Z"],
  ["Thu, 02 Jan 2020 10:00:00 +0100", "2020-01-02T09:00:00.000Z"],
  ["January 2nd, 2020", "2020-01-02T00:00:00.000Z"],
  ["2 Jan 2020", "2020-01-02T00:00:00.000Z"],
  ["2020-01-02 09:05:00 +0530", "2020-01-02T03:35:00.000Z"],
  ["30 February 2020", undefined],
  ["yesterday", undefined],
])("parses the date %s", (text, date) => {
  expect(parsedDate(text)?.toISOString()).toBe(date);
});

const defaultSite = {
  base: "",
  permalinks: new Map<string, string>(),
  isHugo: false,
  languages: new Set<string>(),
  unprefixedLanguage: null as string | null,
};

test("derives a post's former paths from its file and its front matter", () => {
  const formerPaths = (file: string, fields = {}, post = {}) =>
    formerPathsOf(
      file,
      fields,
      { date: new Date("2020-01-02"), path: null, categories: [], ...post },
      defaultSite,
    );
  expect(formerPaths("_posts/2020-01-02-owls.md", {}, { categories: ["Birds"] })).toContain(
    "/birds/2020/01/02/owls.html",
  );
  expect(formerPaths("content/posts/owls.md", { aliases: ["/old/owls/"], slug: "hoot" })).toEqual([
    "/old/owls/",
    "/posts/hoot",
  ]);
  expect(formerPaths("content/owls/index.md")).toEqual(["/owls"]);
  expect(formerPaths("owls.md", { permalink: "/:year/x" })).toEqual(["/2020/x"]);
  expect(formerPaths("a.md", {}, { path: "2016/09/29/Rust-1.12" })).toEqual(["/2016/09/29/Rust-1.12"]);
});

const pathsOfPost = (file: string, fields: object, site: Partial<typeof defaultSite> = {}) => {
  const { frontMatter, fields: read } = readPost(
    `---json\n${JSON.stringify({ title: "A Walk, by night", ...fields })}\n---\n`,
    file,
  );
  const { title } = frontMatter;
  return formerPathsOf(file, read, { ...frontMatter, title: title ?? "" }, { ...defaultSite, ...site });
};

test("derives Jekyll's paths with the written day and with that of UTC", () => {
  const paths = pathsOfPost("_posts/2020-01-01-owls.md", { date: "2020-01-01 22:19:37 -0500" });
  for (const day of ["01", "02"])
    expect(paths).toEqual(expect.arrayContaining([`/2020/01/${day}/owls.html`, `/2020/01/${day}/owls/`]));
});

test.each([
  ["/:title/", "/owls/"],
  ["pretty", "/birds/2020/02/03/owls/"],
  ["none", "/birds/owls.html"],
  ["/:year/:month/:slug:output_ext", "/2020/02/owls.html"],
])("applies Jekyll's permalink %s", (pattern, expected) => {
  const permalinks = new Map([["", pattern]]);
  expect(pathsOfPost("_posts/2020-02-03-owls.md", { categories: ["Birds"] }, { permalinks })).toEqual([
    expected,
  ]);
  expect(pathsOfPost("_posts/2020-02-03-owls.md", { permalink: "/p/:title" }, { permalinks })).toEqual([
    "/p/owls",
  ]);
});

test("applies Hugo's permalinks to their section, also for a site below a base path", () => {
  const site = { base: "/blog", permalinks: new Map([["posts", "/:year/:month/:title/"]]), isHugo: true };
  expect(pathsOfPost("content/posts/owls.md", { date: "2020-01-02" }, site)).toEqual([
    "/2020/01/a-walk-by-night/",
    "/blog/2020/01/a-walk-by-night/",
  ]);
  expect(pathsOfPost("content/notes/owls.md", {}, site)).toEqual(["/notes/owls", "/blog/notes/owls"]);
  const unknown = { permalinks: new Map([["posts", "/:nobody/:title/"]]) };
  expect(pathsOfPost("content/posts/owls.md", {}, unknown)).toEqual([]);
});

test("derives paths with and without the date, as the file is named and as generators write it", () => {
  expect(pathsOfPost("content/posts/2020-01-05-My Post.md", {})).toEqual([
    "/posts/2020-01-05-My Post",
    "/posts/2020-01-05-my-post",
    "/posts/My Post",
    "/posts/my-post",
  ]);
  expect(pathsOfPost("content/posts/owls/index.md", { aliases: ["old-name", "/older"] })).toEqual([
    "/old-name",
    "/older",
    "/posts/owls",
    "/posts/old-name",
  ]);
});

test("derives paths without the folder of the input, and with a translation's language before its folders", () => {
  expect(pathsOfPost("src/notes/owls.md", {})).toEqual(["/notes/owls"]);
  expect(pathsOfPost("src/posts/owls.md", {})).toEqual(["/posts/owls"]);
  const site = { isHugo: true, languages: new Set(["en", "fa", "fr"]), unprefixedLanguage: "en" };
  expect(pathsOfPost("content/posts/owls/index.fa.md", {}, site)).toEqual(["/fa/posts/owls"]);
  expect(pathsOfPost("content/posts/owls.fr.md", { aliases: ["/vieux"] }, site)).toEqual([
    "/vieux",
    "/fr/posts/owls",
  ]);
  expect(pathsOfPost("content/posts/owls.en.md", {}, site)).toEqual(["/posts/owls"]);
  expect(pathsOfPost("content/posts/node.js.md", {}, site)).toContain("/posts/node.js");
});

test("resolves a link of Hugo's ref that begins with a slash", () => {
  const book = new AddressBook();
  const post = { file: "content/posts/a.md", paths: ["/posts/a"] };
  book.add(post, "slug-of-a");
  for (const link of ["@//posts/a.md", "@/posts/a.md", "@/posts/a"])
    expect(book.find(link, post, [])).toBe("/blog/slug-of-a");
  book.add({ file: "content/posts/b.mkd", paths: [] }, "slug-of-b");
  expect(book.find("b.mkd", post, [])).toBe("/blog/slug-of-b");
});

test("reads authors from tables, and categories from texts, lists or a taxonomy", () => {
  const { frontMatter } = readPost(
    "---\ntitle: a\nauthors: [{name: Ana}, Ben]\ncategories: Birds, Night\n---\n",
  );
  expect(frontMatter).toMatchObject({ authors: ["Ana", "Ben"], categories: ["Birds", "Night"] });
  const zola = "+++\ntitle = 'a'\n[taxonomies]\ncategories = ['Birds']\n+++\n";
  expect(readPost(zola).frontMatter.categories).toEqual(["Birds"]);
});
