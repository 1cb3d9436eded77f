import fc from "fast-check";
import { expect, test } from "vitest";
import { linkify } from "../../../../src/client/comments/linkify.ts";

const links = (text: string) => linkify(text).flatMap((stretch) => (stretch.href ? [stretch.text] : []));

test.each([
  ["see https://example.org.", ["https://example.org"]],
  ["(https://example.org/a)", ["https://example.org/a"]],
  ["https://en.wikipedia.org/wiki/Repeat_(music)", ["https://en.wikipedia.org/wiki/Repeat_(music)"]],
  [
    "www.example.org, and http://localhost:3000/x?y=1#z!",
    ["www.example.org", "http://localhost:3000/x?y=1#z"],
  ],
  ["javascript:alert(1) data:text/html,x file:///etc ftp://a.b", []],
  ["https://user:secret@example.org", []],
  ["https://nodots", []],
  ["xhttps://example.org", []],
  ["<https://example.org>", ["https://example.org"]],
  ["日本語 https://例え.jp/道 です", ["https://例え.jp/道"]],
])("%s", (text, expected) => {
  expect(links(text)).toEqual(expected);
});

test("keeps all of the text, and links only http and https", () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom("https://", "www.", "example.org", "(", ")", "javascript:", "\n", " ", ".", "/a?b=c"),
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join("");
      const stretches = linkify(text);
      expect(stretches.map((stretch) => stretch.text).join("")).toBe(text);
      for (const { href } of stretches) if (href !== undefined) expect(href).toMatch(/^https?:\/\//);
    }),
  );
});
