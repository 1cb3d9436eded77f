import { expect, test } from "vitest";
import { absoluteHtml, picturesIn } from "../../../../src/server/feeds/absolute.ts";

const absolute = (html: string) =>
  absoluteHtml(html, "https://a.example/blog/x", (path) => `https://a.example${path}?a=1&b=2`);

test("makes the addresses of a text absolute, where they are addresses", () => {
  expect(absolute('<a href="/home">x</a><a href="#y">z</a><a href="https://b.example/">o</a>')).toBe(
    '<a href="https://a.example/home?a=1&amp;b=2">x</a><a href="https://a.example/blog/x#y">z</a><a href="https://b.example/">o</a>',
  );
  expect(
    absolute('<img alt="> src=" src="/m/1.webp" srcset="/m/1.webp 1w, /m/2.webp 2w, https://c/d 3w">'),
  ).toBe(
    '<img alt="> src=" src="https://a.example/m/1.webp?a=1&amp;b=2" srcset="https://a.example/m/1.webp?a=1&amp;b=2 1w, https://a.example/m/2.webp?a=1&amp;b=2 2w, https://c/d 3w">',
  );
  for (const text of [
    '<p title="x">src="/a" &lt;img src="/a"&gt;</p>',
    '<a href="//b.example/x">y</a>',
    "<br>",
  ])
    expect(absolute(text)).toBe(text);
});

test("finds the site's own pictures of a text by their src", () => {
  expect(
    picturesIn('<img alt="src=&quot;/media/0/1" src="/media/a/full.webp"><img src="https://b.example/c">'),
  ).toEqual(["/media/a/full.webp"]);
});

test("puts the title, text and source of another site's card into paragraphs", () => {
  const link = '<a href="https://b.example/@ana/1" rel="nofollow noopener ugc">';
  const figure = (content: string) =>
    `<figure dir="auto" class="embed" data-title="Owls">${content}</figure>`;
  const source = "<small>Ana · b.example</small>";
  expect(absolute(figure(`${link}<strong>Owls &amp; larks</strong><span>At night</span>${source}</a>`))).toBe(
    figure(`<p>${link}<strong>Owls &amp; larks</strong></a></p><p>At night</p><p>${source}</p>`),
  );
  expect(absolute(figure(`${link}<strong>Owls</strong>${source}</a>`))).toBe(
    figure(`<p>${link}<strong>Owls</strong></a></p><p>${source}</p>`),
  );
  for (const html of [
    figure(`${link}https://b.example/@ana/1</a>`),
    `<p>${link}<strong>Owls</strong></a></p>`,
  ])
    expect(absolute(html)).toBe(html);
});

test("replaces checkboxes by signs, and removes the links of headings", () => {
  const html =
    '<h2 id="h-a">A<a class="heading-link" href="#h-a" aria-hidden="true" tabindex="-1"></a></h2>' +
    '<ul><li data-checked="true"><input type="checkbox" aria-label="Done" checked="" disabled=""><p>Bread</p></li>' +
    '<li data-checked="false"><input type="checkbox" aria-label="Done" disabled=""><p class="ql-align-center">Soup</p></li></ul>' +
    '<p>a<sup class="footnote-ref" data-note="x"><a href="#fn-x" id="fnref-x" role="doc-noteref">1</a></sup></p>';
  expect(absoluteHtml(html, "https://a.example/blog/b", (path) => `https://a.example${path}`)).toBe(
    '<h2 id="h-a">A</h2><ul><li data-checked="true"><p>☑ Bread</p></li><li data-checked="false"><p class="ql-align-center">☐ Soup</p></li></ul>' +
      '<p>a<sup class="footnote-ref" data-note="x"><a href="https://a.example/blog/b#fn-x" id="fnref-x" role="doc-noteref">1</a></sup></p>',
  );
});
