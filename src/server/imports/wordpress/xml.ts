import { SaxesParser } from "saxes";
import { textFrom } from "../reading/decode.ts";
import { FileProblem, type Files } from "../source.ts";

/** An element of an export: its text, and what is in it by name. */
export class Part {
  readonly name: string;
  readonly attributes: Record<string, string>;
  text = "";
  readonly parts: Part[] = [];

  constructor(name: string, attributes: Record<string, string> = {}) {
    this.name = name;
    this.attributes = attributes;
  }

  /** The text of the first part of this name, without spaces around it. */
  said(name: string): string {
    return this.parts.find((part) => part.name === name)?.text.trim() ?? "";
  }

  all(name: string): Part[] {
    return this.parts.filter((part) => part.name === name);
  }
}

/**
 * What one item of an export may take. The file may have any size: it is read in pieces, and no more of it is held than
 * the item that is read; a line without an end is met long before it fills the memory.
 */
const most = { length: 32 * 1024 * 1024, depth: 32, parts: 200_000 };

/** XML that breaks off or is none: what came before it counts. */
export class BrokenXml extends FileProblem {
  override name = "BrokenXml";
}

// What programs leave in texts though XML forbids it; the text around it is none the worse.
const harmless = /disallowed character|undefined entity|malformed character entity|text data outside/;

/** The parts of an export's channel, one after the other. Throws `FileProblem`, and `BrokenXml` behind what could be read. */
export async function* partsOf(files: Files, name: string): AsyncGenerator<Part> {
  const done: Part[] = [];
  const open: Part[] = [];
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
    // <rss><channel><item>: what stands in the channel is given, and the rest belongs to it.
    if (state.depth < 3) return;
    if (state.depth > most.depth || ++state.parts > most.parts)
      refuse(new BrokenXml(`an item has too many parts (line ${line()}). The rest was not read`));
    if (state.wrong) return;
    const part = new Part(tag, attributes);
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
    // A site with a blank line before its first tag writes one into its export.
    const text: string = isStart ? piece.trimStart() : piece;
    isStart &&= text === "";
    state.length += text.length;
    parser.write(text);
    yield* done.splice(0);
    if (state.wrong) throw state.wrong;
    if (state.length > most.length)
      throw new BrokenXml(
        `one of its values is larger than ${most.length / 1024 / 1024} MB (line ${line()}). The rest was not read`,
      );
  }
  parser.close();
  yield* done.splice(0);
  if (state.wrong) throw state.wrong;
}
