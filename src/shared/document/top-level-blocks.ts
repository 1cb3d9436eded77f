/**
 * Returns the top-level blocks of HTML serialized by `nodeToHtml` or by a browser, which does not escape `<` and `>` in
 * attributes.
 */
export function blocksOf(html: string): string[] {
  const blocks: string[] = [];
  let [depth, start] = [0, 0];
  for (const { 0: tag, 1: name, index } of html.matchAll(/<(\/?[a-z]\w*)(?:"[^"]*"|[^">])*>/g)) {
    if (name![0] === "/") depth--;
    else if (!/^(img|br|hr|input)$/.test(name!)) depth++;
    if (depth > 0) continue;
    const end = index + tag.length;
    blocks.push(html.slice(start, end));
    start = end;
  }
  return blocks;
}
