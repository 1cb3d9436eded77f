/**
 * Makes an element say what another of its name does, and touches nothing in it that is the same: what is selected in it stays
 * selected as far as it is still there.
 */
export function morph(shown: Element, now: Element): void {
  // What the reader has open stays so.
  for (const name of shown.getAttributeNames())
    if (!now.hasAttribute(name) && !/^(open|popover)$/.test(name)) shown.removeAttribute(name);
  for (const { name, value } of now.attributes)
    if (shown.getAttribute(name) !== value) shown.setAttribute(name, value);
  const [old, fresh] = [[...shown.childNodes], [...now.childNodes]];
  const most = Math.min(old.length, fresh.length);
  let start = 0;
  while (start < most && old[start]!.isEqualNode(fresh[start]!)) start++;
  let end = 0;
  while (end < most - start && old.at(-1 - end)!.isEqualNode(fresh.at(-1 - end)!)) end++;
  const [left, right] = [old.slice(start, old.length - end), fresh.slice(start, fresh.length - end)];
  const after = old[old.length - end] ?? null;
  right.forEach((node, at) => {
    const there = left[at];
    if (there && mayBecome(there, node)) become(there, node);
    else if (there) there.replaceWith(node);
    else shown.insertBefore(node, after);
  });
  for (const node of left.slice(right.length)) node.remove();
}

const mayBecome = (shown: Node, now: Node): boolean =>
  shown.nodeName === now.nodeName && (shown instanceof Text || shown instanceof Element);

function become(shown: Node, now: Node): void {
  if (shown instanceof Text) write(shown, now.nodeValue ?? "");
  else morph(shown as Element, now as Element);
}

/** Puts in what differs alone: a selection moves with the words that it is on. */
function write(shown: Text, words: string): void {
  const { start, end } = common(shown.data, words);
  shown.replaceData(start, shown.length - start - end, words.slice(start, words.length - end));
}

/** How many characters two have in common at their beginning, and at their end. */
export function common(one: string, other: string): { start: number; end: number } {
  const most = Math.min(one.length, other.length);
  let start = 0;
  while (start < most && one[start] === other[start]) start++;
  let end = 0;
  while (end < most - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  return { start, end };
}
