import fc from "fast-check";
import { expect, test } from "vitest";
import { mentionQueries, withLinks, withMentions } from "../../../../src/client/comments/mentions.ts";
import type { LiveEvent } from "../../../../src/shared/live.ts";
import { findLinks } from "../../../../src/shared/links.ts";
import { applyEvent } from "../../../support/live-queries.ts";
import { findMentions, mentionsIn } from "../../../../src/shared/mentions.ts";

const names = new Map([
  ["ana", "ana"],
  ["ben.oke", "ben.oke"],
  ["old-name", "new.name"],
]);
const linked = (text: string) =>
  withMentions(withLinks(text, findLinks(text)), names).flatMap(({ text: mention, username }) =>
    username ? [[mention, username]] : [],
  );

test.each([
  ["Thanks, @ana!", [["@ana", "ana"]]],
  [
    "@Ana and @BEN.Oke. And @ana.",
    [
      ["@Ana", "ana"],
      ["@BEN.Oke", "ben.oke"],
      ["@ana", "ana"],
    ],
  ],
  ["@old-name- said", [["@old-name", "new.name"]]],
  [
    "(@ana) \n@ana",
    [
      ["@ana", "ana"],
      ["@ana", "ana"],
    ],
  ],
  ["mail@ana.org, ana@ana, @@ana, /@ana, @an", []],
  ["@nobody, @anabel, @ana_b, @anna", []],
  ["https://example.org/@ana and www.example.org?@ana", []],
  [`@${"a".repeat(31)}`, []],
])("%s", (text, expected) => {
  expect(linked(text)).toEqual(expected);
});

test("keeps all of the text, and links the people whom a mention notifies", () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom("@", "ana", "@ana", "ben.oke", " ", ".", "-", "\n", "https://x.org/", "old-name", "@Ana"),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join("");
      const stretches = withMentions(withLinks(text, findLinks(text)), names);
      expect(stretches.map((stretch) => stretch.text).join("")).toBe(text);
      for (const { text: mention, username } of stretches)
        if (username) expect(mentionsIn(mention).map((name) => names.get(name))).toEqual([username]);
      for (const { username, from, to } of findMentions(text))
        expect(text.slice(from, to).toLowerCase()).toBe(`@${username}`);
    }),
  );
});

test("updates a mention's link when its person changes their username, and removes it when they leave", () => {
  const people = [
    { asked: "ana", id: "a", username: "ana" },
    { asked: "ben", id: "b", username: "ben" },
  ];
  const row = mentionQueries["users.named"]!;
  const data = { people };
  const after = (event: LiveEvent) => applyEvent(row, data, event);
  const person = { id: "a", username: "ana.of.now", name: "Ana", picture: null };
  expect(after({ kind: "person.changed", person })).toEqual({
    people: [{ ...people[0], username: "ana.of.now" }, people[1]],
  });
  expect(after({ kind: "person.gone", personId: "a", jitterMs: 0 })).toEqual({ people: [people[1]] });
  expect(after({ kind: "person.changed", person: { ...person, id: "c" } })).toBe(data);
  expect(row.topics({ people: [] }, {})).not.toContain("feed");
});
