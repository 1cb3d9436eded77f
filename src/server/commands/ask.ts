import { createInterface } from "node:readline";
import { Writable } from "node:stream";

/**
 * Asks for a secret: on the terminal, without showing what is typed, else as the first line of standard input (an empty text
 * where there is none). Among the words of a command everybody on the machine could read it.
 */
export async function askSecret(question: string): Promise<string> {
  const { isTTY: isTerminal } = process.stdin;
  if (isTerminal) process.stderr.write(question);
  const nowhere = new Writable({ write: (_text, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: isTerminal });
  try {
    return await new Promise((resolve, reject) => {
      lines.once("line", resolve);
      lines.once("close", () => resolve(""));
      lines.once("SIGINT", () => reject(new Error("Nothing was done.")));
    });
  } finally {
    lines.close();
    if (isTerminal) process.stderr.write("\n");
  }
}
