import { expect, test } from "vitest";
import { replyingText } from "../../../../src/client/comments/presence.ts";

test("names one or two people who reply, and counts more", () => {
  expect(replyingText([], 0)).toBe("");
  expect(replyingText(["Ana"], 1)).toBe("Ana is replying");
  expect(replyingText(["Ana", "Bo"], 2)).toBe("Ana and Bo are replying");
  expect(replyingText(["Ana", "Bo", "Cy"], 3)).toBe("3 people are replying");
  expect(replyingText(["Ana", "Bo", "Cy", "Di", "Eve"], 1_204)).toBe("1,204 people are replying");
});
