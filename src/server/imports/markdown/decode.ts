import { FileProblem } from "../source.ts";

/** Decodes UTF-8. Throws `FileProblem` for anything else. */
export function decodeUtf8(bytes: Buffer): string {
  if (bytes.length === 0) throw new FileProblem("it is empty");
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new FileProblem("its text is not UTF-8. Save it as UTF-8 and import it again", { cause: error });
  }
}
