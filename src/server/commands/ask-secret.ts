import { createInterface } from "node:readline";
import { Writable } from "node:stream";

/**
 * Reads a secret from the terminal without echo, or else the first line of standard input, "" if none. As an argument, everyone
 * on the machine could read it.
 */
export async function askSecret(question: string): Promise<string> {
  const { isTTY: isTerminal } = process.stdin;
  if (isTerminal) process.stderr.write(question);
  const mutedOutput = new Writable({ write: (_text, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: mutedOutput, terminal: isTerminal });
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
