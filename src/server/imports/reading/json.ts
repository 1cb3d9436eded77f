import { JSONParser, TokenType } from "@streamparser/json";
import { FileProblem, type Files } from "../source.ts";
import { textFrom } from "./decode.ts";

/**
 * The most characters and the deepest nesting of one value. The file may have any size: it is streamed, and only one value is
 * in memory.
 */
const valueLimits = { length: 32 * 1024 * 1024, depth: 100 };

export interface FoundValue {
  value: unknown;
  /** The name or index of the value, and of its parent. */
  key: string;
  within: string;
}

/** Streams the values at these paths (`$.data.*`). Throws `FileProblem`. */
export async function* valuesIn(files: Files, name: string, paths: string[]): AsyncGenerator<FoundValue> {
  const values: FoundValue[] = [];
  let length = 0;
  let depth = 0;
  const parser = new JSONParser({ paths, keepStack: false, stringBufferSize: 64 * 1024 });
  parser.onToken = ({ token }) => {
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) depth++;
    else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) depth--;
    if (depth > valueLimits.depth) throw new FileProblem("its JSON is nested too deeply");
  };
  parser.onValue = ({ value, key, stack }) => {
    length = 0;
    values.push({ value, key: String(key ?? ""), within: String(stack.at(-1)?.key ?? "") });
  };
  let charactersRead = 0;
  for await (const text of textFrom(await files.stream(name))) {
    charactersRead += text.length;
    if ((length += text.length) > valueLimits.length)
      throw new FileProblem(`one of its values is larger than ${valueLimits.length / 1024 / 1024} MB`);
    try {
      // Trailing data, such as a line break.
      if (!parser.isEnded) parser.write(text);
    } catch (error) {
      if (error instanceof FileProblem) throw error;
      const kilobytes = Math.ceil(charactersRead / 1024).toLocaleString("en");
      throw new FileProblem(`not valid JSON (within its first ${kilobytes} kB). Please export it again`, {
        cause: error,
      });
    }
    yield* values.splice(0);
  }
  if (!parser.isEnded)
    throw new FileProblem("it is incomplete. Please export it again and copy the whole file");
}
