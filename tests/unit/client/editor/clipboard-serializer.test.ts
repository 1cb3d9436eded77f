import { parseHTML } from "linkedom";
import { DOMParser } from "prosemirror-model";
import { expect, test, vi } from "vitest";
import { ClipboardSerializer } from "../../../../src/client/editor/clipboard-serializer.ts";
import { withDirectLinks } from "../../../../src/client/editor/pasted-links.ts";
import { parseHtml } from "../../../../src/server/text/parse-html.ts";
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

test("copies links and cards of this site's blogs with their whole address, and pastes them as paths", () => {
  vi.stubGlobal("location", { origin: "https://reprise.example" });
  const link = schema.text("owls", [schema.marks.link.create({ href: "/blog/owls" })]);
  const text = doc(p("See ", link), nodes.embed.create({ href: "/blog/owls" }));
  const { document } = parseHTML("<html><body></body></html>");
  const copied = new ClipboardSerializer("t1").serializeFragment(text.content, { document });
  const box = document.createElement("div");
  box.append(copied);
  const whole = "https://reprise.example/blog/owls";
  expect([...box.querySelectorAll("a")].map((a) => a.getAttribute("href"))).toEqual([whole, whole]);
  expect(box.querySelector("figure")?.getAttribute("data-href")).toBe(whole);
  expect(box.querySelector("figure")?.textContent).toBe(whole);
  const pasted = DOMParser.fromSchema(schema).parseSlice(box);
  expect(withDirectLinks(pasted).content.toJSON()).toEqual(text.content.toJSON());
  vi.unstubAllGlobals();
});
