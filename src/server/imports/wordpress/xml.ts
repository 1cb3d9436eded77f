import { SaxesParser } from "saxes";
import { textFrom } from "../reading/decode.ts";
import { FileProblem, type Files } from "../source.ts";

/** An element of an export with its text and children. */
export class XmlElement {
  readonly name: string;
  readonly attributes: Record<string, string>;
  text = "";
  readonly parts: XmlElement[] = [];

  constructor(name: string, attributes: Record<string, string> = {}) {
    this.name = name;
    this.attributes = attributes;
  }

  /** Returns the trimmed text of the first such child. */
  childText(name: string): string {
    return this.parts.find((part) => part.name === name)?.text.trim() ?? "";
  }

  all(name: string): XmlElement[] {
    return this.parts.filter((part) => part.name === name);
  }
}

/**
 * The limits of one item. The file may have any size: it is streamed, and only one item is in memory; an endless line fails
 * before memory runs out.
 */
const itemLimits = { length: 32 * 1024 * 1024, depth: 32, parts: 200_000 };

/** Malformed XML; the items before it count. */
export class BrokenXml extends FileProblem {
  override name = "BrokenXml";
}

// Common errors in exports that leave the surrounding text intact.
const harmless = /disallowed character|undefined entity|malformed character entity|text data outside/;

/** Streams a channel's children. Throws `FileProblem`, or `BrokenXml` after the readable part. */
export async function* partsOf(files: Files, name: string): AsyncGenerator<XmlElement> {
  const done: XmlElement[] = [];
  const open: XmlElement[] = [];
  const state = { depth: 0, length: 0, parts: 0, wrong: null as FileProblem | null };
  const parser = new SaxesParser<{ xmlns: false; position: true }>({ xmlns: false, position: true });
  const line = () => parser.line.toLocaleString("en");
  const refuse = (problem: FileProblem) => {
    state.wrong ??= problem;
  };
  parser.on("doctype", () =>
    refuse(
      new FileProblem("it declares a DOCTYPE, which exports from WordPress don’t have. It was not read"),
    ),
  );
  parser.on("error", ({ message }) => {
    if (harmless.test(message)) return;
    const what = message.replace(/^\d+:\d+: /, "").replace(/\.$/, "");
    refuse(
      new BrokenXml(
        `not valid XML near line ${line()} (${what}). The rest was not read. Please export it again`,
      ),
    );
  });
  parser.on("opentag", ({ name: tag, attributes }) => {
    state.depth++;
    // <rss><channel><item>: yields the channel's children.
    if (state.depth < 3) return;
    if (state.depth > itemLimits.depth || ++state.parts > itemLimits.parts)
      refuse(new BrokenXml(`an item has too many parts (line ${line()}). The rest was not read`));
    if (state.wrong) return;
    const part = new XmlElement(tag, attributes);
    open.at(-1)?.parts.push(part);
    open.push(part);
  });
  const add = (text: string) => {
    const part = open.at(-1);
    if (part) part.text += text;
  };
  parser.on("text", add);
  parser.on("cdata", add);
  parser.on("closetag", () => {
    state.depth--;
    const part = open.pop();
    if (!part || open.length > 0 || state.wrong) return;
    done.push(part);
    state.length = state.parts = 0;
  });

  let isStart = true;
  for await (const piece of textFrom(await files.stream(name))) {
    // Some sites write a blank line before the first tag.
    const text: string = isStart ? piece.trimStart() : piece;
    isStart &&= text === "";
    state.length += text.length;
    parser.write(text);
    yield* done.splice(0);
    if (state.wrong) throw state.wrong;
    if (state.length > itemLimits.length)
      throw new BrokenXml(
        `one of its values is larger than ${itemLimits.length / 1024 / 1024} MB (line ${line()}). The rest was not read`,
      );
  }
  parser.close();
  yield* done.splice(0);
  if (state.wrong) throw state.wrong;
}
