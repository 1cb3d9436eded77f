import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/** Creates a temporary folder with these files. `at` returns the path of one, and `put` writes or replaces one. */
export async function createFolder(files: Record<string, string | Buffer>) {
  const folder = await mkdtemp(path.join(tmpdir(), "reprise-import-"));
  const at = (name: string) => path.join(folder, name);
  const put = async (name: string, content: string | Buffer) => {
    await mkdir(path.dirname(at(name)), { recursive: true });
    await writeFile(at(name), content);
  };
  for (const [name, content] of Object.entries(files)) await put(name, content);
  return { folder, at, put, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}
