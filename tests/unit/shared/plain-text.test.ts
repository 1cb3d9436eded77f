import { expect, test } from "vitest";
import { NewBlog } from "../../../src/shared/blogs.ts";
import { removeInvisible } from "../../../src/shared/plain-text.ts";
import { Interest, PersonName, ProfileUpdate } from "../../../src/shared/users.ts";

test.each([
  ["a right-to-left override", "Ana \u202Egro.elpmaxe\u202C", "Ana gro.elpmaxe"],
  ["isolates", "\u2067Ana\u2069 \u2066Ruiz\u2069", "Ana Ruiz"],
  ["direction marks", "A\u200En\u200Fa\u061C", "Ana"],
  ["no width", "A\u200Bn\u2060a\uFEFF\u180E", "Ana"],
  ["a soft hyphen", "A\u00ADna", "Ana"],
  ["fillers", "A\u3164n\u115F\u1160a\uFFA0", "Ana"],
  ["tags", "Ana\u{E0041}\u{E0020}\u{E007F}", "Ana"],
  ["variation selectors", "A\uFE0Fn\uFE00a\u{E0101} 1\uFE0F", "Ana 1"],
  ["joiners between Latin letters", "A\u200Dn\u200Ca", "Ana"],
  ["a joiner after a picture that joins nothing", "👩\u200D Ana", "👩 Ana"],
  ["other controls", "A\u0080n\u009Fa\uFFFA", "Ana"],
  ["the next line's control", "Ana\u0085Ruiz", "Ana Ruiz"],
])("removes %s from a name", (_what, typed, cleaned) => {
  expect(PersonName.parse(typed)).toBe(cleaned);
});

test.each([
  ["Persian", "می\u200Cخواهم"],
  ["Sinhala", "ශ්\u200Dරී ලංකා"],
  ["Malayalam", "അവന്\u200D"],
  ["Devanagari", "क्\u200Dष"],
  ["a family", "👩\u200D👩\u200D👧\u200D👦"],
  ["a heart", "❤\uFE0F"],
  ["a heart on fire", "❤\uFE0F\u200D🔥"],
  ["a rainbow flag", "🏳\uFE0F\u200D🌈"],
  ["somebody with a skin and a profession", "👩🏽\u200D🚀"],
  ["the flag of Scotland", "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}"],
  ["a key", "1\uFE0F\u20E3"],
  ["Vietnamese", "Nguyễn Thị Ngọc"],
  ["Hebrew with its points", "בְּרֵאשִׁ֖ית"],
  ["Burmese", "ကြွှော်"],
  ["Tibetan", "བསྒྲུབས"],
])("keeps %s as it is", (_what, text) => {
  expect(PersonName.parse(text)).toBe(text.normalize("NFC"));
});

test("refuses marks piled up on one letter, with a message", () => {
  const { error } = PersonName.safeParse("Z\u0351\u036B\u0343\u0303\u0329algo");
  expect(error?.issues[0]?.message).toBe("The name has too many accents on one letter. Please remove some.");
  expect(PersonName.safeParse(`ก${"\u0e49".repeat(9)}`).success).toBe(false);
});

test("refuses a name without a visible character", () => {
  for (const name of ["\u200B\u200D\uFEFF", "\u3164", "\u202E", "\u{E0041}"])
    expect(PersonName.safeParse(name).error?.issues[0]?.message, JSON.stringify(name)).toBe(
      "Please enter a name.",
    );
});

test("removes the same from bios, titles, tags and interests", () => {
  expect(ProfileUpdate.parse({ bio: "I \u202Ewrite\u202C\r\nat\u200B night" })).toEqual({
    bio: "I write\nat night",
  });
  expect(Interest.parse("ow\u200Bls")).toBe("owls");
  const { title, description, tags } = NewBlog.shape;
  expect(title.parse("Owls \u202Eslwo")).toBe("Owls slwo");
  expect(description.parse("Owls\u2066, mostly")).toBe("Owls, mostly");
  expect(tags.parse(["ow\u00ADls", "owls"])).toEqual(["owls"]);
});

test("cleans the longest texts in limited time", () => {
  const start = performance.now();
  for (const piece of ["👩\u200D", "\u200D", "a\u0301", "🏴\u{E0067}", "می\u200C"])
    removeInvisible(piece.repeat(20_000));
  expect(performance.now() - start).toBeLessThan(20_000);
});
