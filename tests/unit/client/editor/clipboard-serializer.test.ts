import { parseHTML } from "linkedom";
import { expect, test } from "vitest";
import { ClipboardSerializer } from "../../../../src/client/editor/clipboard-serializer.ts";
import { parseHtml } from "../../../../src/server/blogs/parse-html.ts";
import { schema } from "../../../../src/shared/document/schema.ts";
import { doc, p } from "./typing.ts";

const { nodes } = schema;
const sign = (note: string) => nodes.footnote_ref.create({ note });
const note = (key: string, text: string) => nodes.footnote.create({ note: key }, p(text));

test("copies formulas, cards and footnote signs with a text, and reads them as they were", async () => {
  const text = doc(
    p("So ", nodes.formula.create({ tex: "a<b" }), " holds", sign("b"), sign("a"), sign("b"), "."),
    nodes.embed.create({ href: "https://vimeo.com/77", title: "Owls", author: "Ana", text: "" }),
    nodes.embed.create({ href: "https://vimeo.com/78" }),
    nodes.footnotes.create(null, [note("a", "One."), note("b", "Two.")]),
  );
  const { document } = parseHTML("<html><body></body></html>");
  const copied = new ClipboardSerializer("t1").serializeFragment(text.content, { document });
  const box = document.createElement("div");
  box.append(copied);
  const blocks = [...box.children].map(({ textContent }) => textContent);
  expect(blocks).toEqual(["So $a<b$ holds[2][1][2].", "Owls", "https://vimeo.com/78", "One.Two."]);
  expect(box.querySelectorAll("figure a").length).toBe(2);
  expect(await parseHtml(box.innerHTML)).toEqual(text.toJSON());
});
