import { expect, test } from "vitest";
import { blocks, nodes } from "../../../../src/shared/document/blocks.ts";

test("gives each node of the schema to one block", () => {
  const names = blocks.flatMap((block) => Object.keys(block.nodes));
  expect(names.toSorted()).toEqual(Object.keys(nodes).toSorted());
});
