import { expect, test } from "vitest";
import {
  isOwnPath,
  ownPathOf,
  withOwnAddresses,
  withOwnPaths,
} from "../../../../src/shared/document/own-links.ts";
import { checkDocument } from "../../../../src/shared/document/check.ts";
import type { DocumentJson } from "../../../../src/shared/document/schema.ts";

const site = "https://reprise.example";

test("gives blogs of this site a path, and leaves other addresses", () => {
  expect(ownPathOf(`${site}/blog/owls-at-night`, site)).toBe("/blog/owls-at-night");
  expect(ownPathOf(`${site}/blog/owls#h-übung`, site)).toBe("/blog/owls#h-übung");
  for (const address of [
    site,
    `${site}/home`,
    `${site}/blog/`,
    `${site}/blog/Owls`,
    `${site}/blog/owls.md`,
    `${site}/blog/owls?comments`,
    `${site}/blog/owls/../../edit`,
    "https://reprise.example.org/blog/owls",
    "mailto:ana@example.org",
  ])
    expect(ownPathOf(address, site)).toBe(address);
  for (const path of [
    "//evil.example/blog/a",
    "/blog/",
    "/edit/a",
    "/blog/a\n",
    "/blog/a b",
    "/blog/-a",
    5,
    null,
  ])
    expect(isOwnPath(path), String(path)).toBe(false);
});

test("changes links and cards of a document to paths and back", () => {
  const documentWith = (href: string): DocumentJson => ({
    type: "doc",
    content: [
      {
        type: "blockquote",
        content: [
          {
            type: "paragraph",
            content: [
              { type: "text", text: "Owls", marks: [{ type: "link", attrs: { href, title: null } }] },
            ],
          },
        ],
      },
      { type: "embed", attrs: { href, title: "", author: "", text: "" } },
    ],
  });
  const [stored, whole] = [documentWith("/blog/owls"), documentWith(`${site}/blog/owls`)];
  expect(withOwnPaths(documentWith(`${site}/blog/owls`), site)).toEqual(stored);
  expect(withOwnAddresses(documentWith("/blog/owls"), site)).toEqual(whole);
  expect(checkDocument(stored).ok).toBe(true);
  expect(checkDocument(documentWith("/edit/owls")).ok).toBe(false);
});
