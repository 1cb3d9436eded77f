import { expect, test } from "vitest";
import { replyingIn } from "../../../../src/client/comments/presence.ts";

test("few who reply are named, more are counted", () => {
  expect(replyingIn([], 0)).toBe("");
  expect(replyingIn(["Ana"], 1)).toBe("Ana is replying");
  expect(replyingIn(["Ana", "Bo"], 2)).toBe("Ana and Bo are replying");
  expect(replyingIn(["Ana", "Bo", "Cy"], 3)).toBe("3 people are replying");
  expect(replyingIn(["Ana", "Bo", "Cy", "Di", "Eve"], 1_204)).toBe("1,204 people are replying");
});
