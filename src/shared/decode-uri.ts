/** Decodes percent-encoding. Returns undefined where it is malformed, as in "%zz". */
export function decodeUri(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
