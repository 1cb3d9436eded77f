import { EditorState } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { expect, test } from "vitest";
import { emptyLineAt } from "../../../../src/client/editor/menus/empty-line.ts";
import { openSlash, slashItems, slashPlugin } from "../../../../src/client/editor/menus/slash.ts";
import type { Slash } from "../../../../src/client/editor/menus/slash.ts";
import { insertFootnote } from "../../../../src/client/editor/blocks/footnote.ts";
import { insertTable } from "../../../../src/client/editor/blocks/table.ts";
import { EditorDriver, doc, h, li, p, ul } from "./typing.ts";

test("finds an empty line with the caret, but no heading, selection or table cell", () => {
  const writer = new EditorDriver(doc(p("Owls"), p(), ul(li(p())), h(2)));
  expect(emptyLineAt(writer.placeCursor("Owls|").state)).toBeNull();
  expect(emptyLineAt(writer.select(7).state)).toBe(6);
  expect(emptyLineAt(writer.select(11).state)).toBe(10);
  expect(emptyLineAt(writer.select(15).state), "a heading").toBeNull();
  expect(emptyLineAt(writer.select(1, 7).state), "a selection").toBeNull();
  const table = new EditorDriver(doc(p()));
  table.run(insertTable);
  expect(table.state.selection.$from.parent.content.size).toBe(0);
  expect(emptyLineAt(table.state), "a cell").toBeNull();
});

test("offers only blocks that can be inserted in the place of the slash", () => {
  const namesIn = (writer: EditorDriver, query = "") =>
    slashItems(writer.state, { from: writer.state.selection.$from.start(), query, isTyped: true }).map(
      ({ name }) => name,
    );
  const text = new EditorDriver(doc(p("/")));
  text.placeCursor("/|");
  expect(namesIn(text)).toHaveLength(18);
  expect(namesIn(text, "foot")).toEqual(["Footnote"]);
  expect(namesIn(text, "todo")).toEqual(["Task list"]);
  const before = text.text;
  text.run(insertFootnote);
  expect(text.text).not.toBe(before);
  const inNote = namesIn(text);
  expect(inNote).toContain("Bullet list");
  expect(inNote).not.toContain("Footnote");
  const table = new EditorDriver(doc(p()));
  table.run(insertTable);
  expect(namesIn(table)).not.toContain("Table");
  expect(namesIn(table)).toContain("Image");
});

test("filters the menu of an empty line by what is typed, and closes it without a trace", () => {
  let open: Slash | null = null;
  const plugin = slashPlugin(
    (slash) => (open = slash),
    () => ({ move: () => undefined, choose: () => false }),
  );
  let state = EditorState.create({ doc: doc(p()), plugins: [plugin] });
  const view = {
    get state() {
      return state;
    },
    dispatch(tr: Parameters<EditorView["dispatch"]>[0]) {
      const previousState = state;
      state = state.apply(tr);
      watcher.update!(view, previousState);
    },
  } as unknown as EditorView;
  const watcher = plugin.spec.view!(view);
  openSlash(view);
  expect(open).toEqual({ from: 1, query: "", isTyped: false });
  expect(emptyLineAt(state), "while it is open").toBeNull();
  view.dispatch(state.tr.insertText("Ta"));
  expect(open).toMatchObject({ query: "ta" });
  view.dispatch(state.tr.delete(1, 3));
  plugin.props.handleKeyDown!.call(plugin, view, { key: "Escape" } as KeyboardEvent);
  expect(open).toBeNull();
  expect(state.doc.textContent).toBe("");
  expect(emptyLineAt(state)).toBe(0);
});
