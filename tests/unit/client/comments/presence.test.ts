import { expect, test } from "vitest";
import { replyingText } from "../../../../src/client/comments/presence.ts";

test("names one or two people who comment or reply, and counts more", () => {
  const [ana, bo, cy] = ["Ana", "Bo", "Cy"].map((name) => ({ name, what: "reply" as const }));
  expect(replyingText([], 0)).toBe("");
  expect(replyingText([ana!], 1)).toBe("Ana is replying");
  expect(replyingText([ana!, bo!], 2)).toBe("Ana and Bo are replying");
  expect(replyingText([ana!, bo!, cy!], 1_204)).toBe("1,204 people are replying");
  const dee = { name: "Dee", what: "comment" as const };
  expect(replyingText([dee], 1)).toBe("Dee is writing a comment");
  expect(replyingText([ana!, dee], 2)).toBe("Ana and Dee are writing comments");
  expect(replyingText([ana!, bo!, dee], 3)).toBe("3 people are writing comments");
});
