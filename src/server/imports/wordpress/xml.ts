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
  const completed: XmlElement[] = [];
  const openElements: XmlElement[] = [];
  const state = { depth: 0, length: 0, parts: 0, problem: null as FileProblem | null };
  const parser = new SaxesParser<{ xmlns: false; position: true }>({ xmlns: false, position: true });
  const line = () => parser.line.toLocaleString("en");
  const setProblem = (problem: FileProblem) => {
    state.problem ??= problem;
  };
  parser.on("doctype", () =>
    setProblem(
      new FileProblem("it declares a DOCTYPE, which exports from WordPress don’t have. It was not read"),
    ),
  );
  parser.on("error", ({ message }) => {
    if (harmless.test(message)) return;
    const summary = message.replace(/^\d+:\d+: /, "").replace(/\.$/, "");
    setProblem(
      new BrokenXml(
        `not valid XML near line ${line()} (${summary}). The rest was not read. Please export it again`,
      ),
    );
  });
  parser.on("opentag", ({ name: tag, attributes }) => {
    state.depth++;
    // <rss><channel><item>: yields the channel's children.
    if (state.depth < 3) return;
    if (state.depth > itemLimits.depth || ++state.parts > itemLimits.parts)
      setProblem(new BrokenXml(`an item has too many parts (line ${line()}). The rest was not read`));
    if (state.problem) return;
    const part = new XmlElement(tag, attributes);
    openElements.at(-1)?.parts.push(part);
    openElements.push(part);
  });
  const add = (text: string) => {
    const part = openElements.at(-1);
    if (part) part.text += text;
  };
  parser.on("text", add);
  parser.on("cdata", add);
  parser.on("closetag", () => {
    state.depth--;
    const part = openElements.pop();
    if (!part || openElements.length > 0 || state.problem) return;
    completed.push(part);
    state.length = state.parts = 0;
  });

  let isStart = true;
  for await (const piece of textFrom(await files.stream(name), "xml")) {
    // Some sites write a blank line before the first tag.
    const text: string = isStart ? piece.trimStart() : piece;
    isStart &&= text === "";
    state.length += text.length;
    parser.write(text);
    yield* completed.splice(0);
    if (state.problem) throw state.problem;
    if (state.length > itemLimits.length)
      throw new BrokenXml(
        `one of its values is larger than ${itemLimits.length / 1024 / 1024} MB (line ${line()}). The rest was not read`,
      );
  }
  parser.close();
  yield* completed.splice(0);
  if (state.problem) throw state.problem;
}
