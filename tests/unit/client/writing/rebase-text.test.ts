import fc from "fast-check";
import { expect, test } from "vitest";
import { rebaseText } from "../../../../src/client/writing/rebase-text.ts";

test("keeps what both pages typed into a text, in different places and at the same one", () => {
  expect(rebaseText("", "AAAAAA", "BBBBBB", 150)).toBe("AAAAAABBBBBB");
  expect(rebaseText("Owls", "Snowy Owls", "Owls at night", 150)).toBe("Snowy Owls at night");
  expect(rebaseText("Owls", "Owls at night", "Snowy Owls", 150)).toBe("Snowy Owls at night");
  expect(rebaseText("Owls and bats", "Owls", "Snowy owls and bats", 150)).toBe("Snowy owls");
  expect(rebaseText("Owls", "Bats", "Snowy owls", 150)).toBe("BatSnowy os");
  expect(rebaseText("Owls 🦉", "Owls 🦊", "Owls 🦋", 150)).toBe("Owls 🦊🦋");
  expect(rebaseText("Owls", "Owls", "Bats", 150)).toBe("Bats");
  expect(rebaseText("Owls", "Bats", "Bats", 150)).toBe("Bats");
});

test("cuts what this page typed where the text is full, and nothing of the other page", () => {
  expect(rebaseText("Owls", "Snowy Owls", "Owls at night", 16)).toBe("SnoOwls at night");
  expect(rebaseText("", "AAAA", "BBBBBB", 8)).toBe("AABBBBBB");
  expect(rebaseText("", "A", "BBBBBB", 4)).toBe("BBBBBB");
});

test("contains each letter that either page typed, and equals the only change of one", () => {
  const text = (letters: string) => fc.string({ unit: fc.constantFrom(...letters), maxLength: 8 });
  fc.assert(
    fc.property(text("ab"), fc.nat(8), fc.nat(8), text("xy"), text("uv"), (base, one, other, own, theirs) => {
      const insert = (at: number, letters: string) => base.slice(0, at) + letters + base.slice(at);
      const merged = rebaseText(base, insert(one, own), insert(other, theirs), 150);
      expect(merged).toContain(own);
      expect(merged).toContain(theirs);
      expect(merged).toHaveLength(base.length + own.length + theirs.length);
      expect(rebaseText(base, base, insert(other, theirs), 150)).toBe(insert(other, theirs));
      expect(rebaseText(base, insert(one, own), base, 150)).toBe(insert(one, own));
    }),
  );
});
