import { JSONParser, TokenType } from "@streamparser/json";
import { FileProblem, type Files } from "../source.ts";
import { textFrom } from "./decode.ts";

/**
 * What one value may take in characters, and how deep it may be. The file itself may have any size: it is read in pieces, and
 * no more of it is held than the value that is read. What people write ends far below.
 */
const most = { length: 32 * 1024 * 1024, depth: 100 };

export interface Met {
  value: unknown;
  /** Its own name or number, and that of what it stands in. */
  key: string;
  within: string;
}

/** The values at these places of a JSON file (`$.data.*`), one after the other. Throws `FileProblem`. */
export async function* valuesIn(files: Files, name: string, places: string[]): AsyncGenerator<Met> {
  const met: Met[] = [];
  let length = 0;
  let depth = 0;
  const parser = new JSONParser({ paths: places, keepStack: false, stringBufferSize: 64 * 1024 });
  parser.onToken = ({ token }) => {
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) depth++;
    else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) depth--;
    if (depth > most.depth) throw new FileProblem("its JSON is nested too deeply");
  };
  parser.onValue = ({ value, key, stack }) => {
    length = 0;
    met.push({ value, key: String(key ?? ""), within: String(stack.at(-1)?.key ?? "") });
  };
  let read = 0;
  for await (const text of textFrom(await files.stream(name))) {
    read += text.length;
    if ((length += text.length) > most.length)
      throw new FileProblem(`one of its values is larger than ${most.length / 1024 / 1024} MB`);
    try {
      // What follows the end, a line break say, is none of its business.
      if (!parser.isEnded) parser.write(text);
    } catch (error) {
      if (error instanceof FileProblem) throw error;
      const near = Math.ceil(read / 1024).toLocaleString("en");
      throw new FileProblem(`not valid JSON (within its first ${near} kB). Please export it again`, {
        cause: error,
      });
    }
    yield* met.splice(0);
  }
  if (!parser.isEnded)
    throw new FileProblem("it is incomplete. Please export it again and copy the whole file");
}
