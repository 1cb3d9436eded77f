import { EditorState } from "prosemirror-state";
import type { DecorationSet } from "prosemirror-view";
import { expect, test } from "vitest";
import { longBlocks } from "../../../../src/client/editor/text-directions.ts";
import { doc, h, li, p, ul } from "./typing.ts";

test("sets one direction on blocks with much text at any depth, also once they grow to it", () => {
  const plugin = longBlocks();
  const [long, short] = ["x".repeat(2_100), "x".repeat(1_990)];
  let state = EditorState.create({
    doc: doc(p(short), p(long), ul(li(p("one")), li(p(long))), h(2, "Owls")),
    plugins: [plugin],
  });
  const found = () =>
    (plugin.props.decorations!.call(plugin, state) as DecorationSet)
      .find()
      .map(({ from }) => state.doc.nodeAt(from)!.textContent.length);
  expect(found()).toEqual([2_100, 2_100]);
  state = state.apply(state.tr.insertText(" and more of it", 1));
  expect(found()).toEqual([2_005, 2_100, 2_100]);
  state = state.apply(state.tr.delete(1, 1_000));
  expect(found()).toEqual([2_100, 2_100]);
});
