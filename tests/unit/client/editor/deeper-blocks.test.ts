import { undo } from "prosemirror-history";
import { Fragment, Slice } from "prosemirror-model";
import type { DecorationSet } from "prosemirror-view";
import { describe, expect, test } from "vitest";
import { insertFold } from "../../../../src/client/editor/blocks/fold.ts";
import { toggleCallout } from "../../../../src/client/editor/blocks/callout.ts";
import { insertFootnote } from "../../../../src/client/editor/blocks/footnote.ts";
import { withJoinedNotes, withUniqueNoteKeys } from "../../../../src/client/editor/pasted-notes.ts";
import { toggleTask, toggleTasks } from "../../../../src/client/editor/blocks/tasks.ts";
import { toggleList } from "../../../../src/client/editor/blocks/list.ts";
import { checkDocument } from "../../../../src/shared/document/check.ts";
import { schema } from "../../../../src/shared/document/schema.ts";
import { EditorDriver, doc, li, ol, p, ul } from "./typing.ts";

const { nodes } = schema;
const emptyWriter = () => new EditorDriver(doc(p()));
const currentText = (writer: EditorDriver) => writer.state.selection.$from.parent.textContent;
const expectValid = (writer: EditorDriver) => expect(checkDocument(writer.json)).toMatchObject({ ok: true });

describe("tasks", () => {
  test("are made by typing a box as in Markdown: alone, in a bullet list and behind one", () => {
    for (const typed of ["[ ] Bread", "- [ ] Bread", "[] Bread"]) {
      const writer = emptyWriter().type(typed);
      expect(writer.text).toBe('doc(bullet_list(task_item(paragraph("Bread"))))');
      expect(writer.state.doc.firstChild!.firstChild!.attrs.checked).toBe(false);
    }
    expect(emptyWriter().type("[x] Done").state.doc.firstChild!.firstChild!.attrs.checked).toBe(true);
    expect(emptyWriter().type("1. [ ] Bread").text).toBe(
      'doc(ordered_list(list_item(paragraph("[ ] Bread"))))',
    );
    expect(new EditorDriver(doc(ul(li(p("one"))), p("two"))).placeCursor("|two").type("[ ] ").text).toBe(
      'doc(bullet_list(list_item(paragraph("one")), task_item(paragraph("two"))))',
    );
  });

  test("are ticked by the keyboard, and a new one is not ticked", () => {
    const writer = emptyWriter().type("[ ] Bread");
    expect(writer.run(toggleTask)).toBe(true);
    writer.type("\nSoup");
    const items = () =>
      writer.state.doc.firstChild!.children.map((item) => [item.textContent, item.attrs.checked]);
    expect(items()).toEqual([
      ["Bread", true],
      ["Soup", false],
    ]);
    writer.placeCursor("|Bread").press("Enter");
    expect(items()).toEqual([
      ["", false],
      ["Bread", true],
      ["Soup", false],
    ]);
    expect(new EditorDriver(doc(p("x"))).run(toggleTask)).toBe(false);
  });

  test("are left by Enter on an empty last one, lifted by Backspace at the start and nested by Tab", () => {
    expect(emptyWriter().type("[ ] Bread\n\nOut").text).toBe(
      'doc(bullet_list(task_item(paragraph("Bread"))), paragraph("Out"))',
    );
    const writer = emptyWriter().type("[ ] Bread\nSoup");
    writer.press("Tab");
    expect(writer.text).toBe(
      'doc(bullet_list(task_item(paragraph("Bread"), bullet_list(task_item(paragraph("Soup"))))))',
    );
    writer.placeCursor("|Bread").press("Backspace");
    expect(writer.text).toBe('doc(paragraph("Bread"), bullet_list(task_item(paragraph("Soup"))))');
  });

  test("are converted to and from bullets and numbers", () => {
    const writer = new EditorDriver(doc(ol(li(p("one")), li(p("two"))))).placeCursor("o|ne");
    expect(writer.run(toggleTasks)).toBe(true);
    expect(writer.text).toBe('doc(bullet_list(task_item(paragraph("one")), list_item(paragraph("two"))))');
    expect(writer.run(toggleList(nodes.ordered_list))).toBe(true);
    expect(writer.text).toBe('doc(ordered_list(list_item(paragraph("one")), list_item(paragraph("two"))))');
    const bulletWriter = new EditorDriver(doc(p("one"))).placeCursor("o|ne");
    bulletWriter.run(toggleTasks);
    bulletWriter.run(toggleList(nodes.bullet_list));
    expect(bulletWriter.text).toBe('doc(bullet_list(list_item(paragraph("one"))))');
    bulletWriter.run(toggleTasks);
    bulletWriter.run(toggleTasks);
    expect(bulletWriter.text).toBe('doc(paragraph("one"))');
  });
});

describe("pull quotes and callouts", () => {
  test("are made by typing Markdown, and change their kind", () => {
    expect(emptyWriter().type(">> Far").text).toBe('doc(pull_quote(paragraph("Far")))');
    const writer = emptyWriter().type("> [!tip]Look");
    expect(writer.text).toBe('doc(callout(paragraph("Look")))');
    expect(writer.state.doc.firstChild!.attrs.kind).toBe("tip");
    expect(emptyWriter().type("[!CAUTION]").state.doc.firstChild!.attrs.kind).toBe("warning");
    writer.run(toggleCallout("note"));
    expect(writer.state.doc.firstChild!.attrs.kind).toBe("note");
    writer.run(toggleCallout("note"));
    expect(writer.text).toBe('doc(paragraph("Look"))');
  });

  test("are left by Enter on an empty line, by arrows at the ends of the text and by Backspace at the start", () => {
    const writer = emptyWriter().type("[!NOTE]Look\n\nOut");
    expect(writer.text).toBe('doc(callout(paragraph("Look")), paragraph("Out"))');
    const calloutWriter = emptyWriter().type("[!NOTE]Look");
    calloutWriter.press("ArrowUp");
    calloutWriter.placeCursor("Look|").press("ArrowDown");
    expect(calloutWriter.text).toBe('doc(paragraph, callout(paragraph("Look")), paragraph)');
    calloutWriter.placeCursor("|Look").press("Backspace");
    expect(calloutWriter.text).toBe('doc(paragraph, paragraph("Look"), paragraph)');
  });
});

describe("folds", () => {
  test("are made of a line, entered by Enter and left by Enter on an empty line", () => {
    const writer = emptyWriter().type("<details>More\nInside\n\nOut");
    expect(writer.text).toBe('doc(fold(fold_summary("More"), paragraph("Inside")), paragraph("Out"))');
    const foldWriter = new EditorDriver(doc(p("More and more"))).placeCursor("More| and");
    expect(foldWriter.run(insertFold)).toBe(true);
    foldWriter.press("Enter");
    expect(foldWriter.text).toBe('doc(fold(fold_summary("More"), paragraph(" and more"), paragraph))');
    expect(currentText(foldWriter)).toBe(" and more");
    expectValid(foldWriter);
  });

  test("become plain text by Backspace in the summary, where Backspace leads from the content", () => {
    const writer = emptyWriter().type("<details>More\nInside").placeCursor("|Inside");
    writer.press("Backspace");
    expect(currentText(writer)).toBe("More");
    writer.placeCursor("|More").press("Backspace");
    expect(writer.text).toBe('doc(paragraph("More"), paragraph("Inside"))');
    expect(currentText(writer)).toBe("More");
  });
});

describe("footnotes", () => {
  const keys = (writer: EditorDriver) => {
    const found: string[] = [];
    writer.state.doc.descendants((node) => {
      if (node.type === nodes.footnote_ref) found.push(`sign ${String(node.attrs.note)}`);
      if (node.type === nodes.footnote) found.push(`note ${String(node.attrs.note)} ${node.textContent}`);
    });
    return found;
  };

  test("are written below the text, in the order of their signs, and lead back to it", () => {
    const writer = emptyWriter().type("Owls[^1]Some.\n\n fly[^]Not all.\n\n far.");
    writer.placeCursor("Owls|").type(" and bats[^2]");
    const [bats] = keys(writer);
    expect(writer.text).toContain("footnotes(");
    expect(keys(writer).filter((key) => key === bats)).toHaveLength(2);
    writer.placeCursor("Owls|").type("[^]New.");
    const all = keys(writer);
    expect(
      all.filter((key) => key.startsWith("note")).map((key) => key.split(" ").slice(2).join(" ")),
    ).toEqual(["New.", "Some.", "Not all."]);
    expectValid(writer);
    expect(writer.state.doc.lastChild!.type).toBe(nodes.footnotes);
  });

  test("keep an empty block of code by Enter, which leaves an empty line", () => {
    const writer = emptyWriter().type("Owls[^1]Some.\n```\n");
    expect(writer.text).toContain("code_block");
    writer.press("Enter");
    expect(writer.text).toContain('code_block("\\n")');
  });

  test("are removed with their sign by Backspace when empty, and cannot be made in a note or in code", () => {
    const writer = emptyWriter().type("Owls");
    expect(writer.run(insertFootnote)).toBe(true);
    expect(writer.run(insertFootnote)).toBe(false);
    writer.press("Backspace");
    expect(writer.text).toBe('doc(paragraph("Owls"))');
    expect(currentText(writer)).toBe("Owls");
    expect(new EditorDriver(doc(nodes.code_block.create(null, schema.text("x")))).run(insertFootnote)).toBe(
      false,
    );
    const noteWriter = emptyWriter().type("Owls[^1]Some.");
    noteWriter.placeCursor("|Some").press("Backspace");
    expect(noteWriter.text).toContain('footnote(paragraph("Some."))');
  });

  test("stay with a hint when their sign is deleted, until it is back", () => {
    const writer = emptyWriter().type("Owls[^1]Some.\n\n fly.");
    const hints = () =>
      writer.state.plugins
        .flatMap(
          (plugin) =>
            (plugin.props.decorations?.call(plugin, writer.state) as DecorationSet | undefined)?.find() ?? [],
        )
        .filter((decoration) => JSON.stringify(decoration).includes("editor-unsigned"));
    expect(hints()).toEqual([]);
    const original = writer.state.doc;
    writer.state = writer.state.apply(writer.state.tr.delete(5, 6));
    expect(writer.text).toBe('doc(paragraph("Owls fly."), footnotes(footnote(paragraph("Some."))))');
    expect(hints()).toHaveLength(1);
    expect(writer.run(undo)).toBe(true);
    expect(writer.state.doc.eq(original)).toBe(true);
    expect(hints()).toEqual([]);
  });

  test("are numbered by their references after a paragraph was moved, in the list and in `[^2]`", () => {
    const writer = emptyWriter().type("One[^1]First.\n\n.\nTwo[^2]Second.");
    const decorated = () =>
      writer.state.plugins.flatMap((plugin) =>
        (
          (plugin.props.decorations?.call(plugin, writer.state) as DecorationSet | undefined)?.find() ?? []
        ).map((decoration) => {
          const { from } = decoration;
          const { attrs } = (decoration as unknown as { type: { attrs: Record<string, string> } }).type;
          const node = writer.state.doc.nodeAt(from)!;
          return node.type === nodes.footnote
            ? `${node.textContent} ${attrs.value}`
            : `${writer.state.doc.resolve(from).parent.textContent} ${attrs["data-number"]}`;
        }),
      );
    expect(decorated()).toEqual(["One. 1", "Two 2"]);
    const [one, two] = writer.state.doc.children;
    writer.state = writer.state.apply(writer.state.tr.delete(0, one!.nodeSize).insert(two!.nodeSize, one!));
    expect(decorated().toSorted()).toEqual(["First. 2", "One. 2", "Second. 1", "Two 1"]);
    const [sign] = keys(writer);
    writer.placeCursor("One|").type("[^1]");
    expect(keys(writer).filter((key) => key === sign)).toHaveLength(2);
  });

  test("join the list of the text they are pasted into, from which the caret leads out", () => {
    const sign = (note: string) => nodes.footnote_ref.create({ note });
    const note = (key: string) => nodes.footnote.create({ note: key }, p(`of ${key}`));
    const article = (key: string) => [p(key, sign(key)), nodes.footnotes.create(null, note(key))];
    const writer = new EditorDriver(
      doc(p("one"), p("last", sign("z")), nodes.footnotes.create(null, note("z"))),
    );
    const paste = (key: string) => {
      const slice = new Slice(Fragment.from(article(key)), 1, 0);
      writer.state = writer.state.apply(withJoinedNotes(writer.state, slice)!);
    };
    writer.placeCursor("one|");
    paste("a");
    paste("b");
    writer.placeCursor("of z|");
    paste("c");
    writer.type("!");
    expect(writer.state.doc.toJSON()).toEqual(
      doc(
        p("onea", sign("a"), "b", sign("b")),
        p("last", sign("z")),
        p("c", sign("c"), "!"),
        nodes.footnotes.create(null, [note("a"), note("b"), note("z"), note("c")]),
      ).toJSON(),
    );
    expect(withJoinedNotes(writer.state, new Slice(Fragment.from(p("x")), 1, 1))).toBe(null);
  });

  test("get new keys when pasted beside themselves, and keep them when they replace themselves", () => {
    const { doc: text } = emptyWriter().type("Owls[^1]Some.\n\n fly.").state;
    const all = text.slice(0, text.content.size);
    const keysIn = (content: Fragment) => {
      const found: string[] = [];
      content.descendants(({ attrs }) => {
        if (attrs.note) found.push(attrs.note as string);
      });
      return found;
    };
    const [key] = keysIn(text.content);
    const { size } = text.content;
    const [sign, note] = keysIn(withUniqueNoteKeys(all, text, { from: 1, to: 1 }).content);
    expect(sign).toBe(note);
    expect(sign).not.toBe(key);
    // Pasted over itself, or into a text without that key.
    expect(withUniqueNoteKeys(all, text, { from: 0, to: size }).content.eq(all.content)).toBe(true);
    expect(withUniqueNoteKeys(all, doc(p("x")), { from: 1, to: 1 }).content.eq(all.content)).toBe(true);
    // A sign alone is one more sign of the same note.
    const signSlice = text.slice(1, 6);
    expect(withUniqueNoteKeys(signSlice, text, { from: 1, to: 1 })).toBe(signSlice);
    // Unless it is from another text.
    const [foreign] = keysIn(
      withUniqueNoteKeys(signSlice, text, { from: 1, to: 1, isForeign: true }).content,
    );
    expect(foreign).not.toBe(key);
    const doubled = new Slice(all.content.append(all.content), 0, 0);
    const [first, ofFirst, second, ofSecond] = keysIn(
      withUniqueNoteKeys(doubled, doc(p("x")), { from: 1, to: 1 }).content,
    );
    expect([first, ofFirst, second]).toEqual([key, key, key]);
    expect(ofSecond).not.toBe(key);
  });
});
