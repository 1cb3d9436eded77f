/** Changes an element to match another, and leaves equal nodes alone: a selection survives where its text does. */
export function morph(shown: Element, now: Element): void {
  // Keeps open what the reader opened.
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
    if (there && canMorph(there, node)) morphNode(there, node);
    else if (there) there.replaceWith(node);
    else shown.insertBefore(node, after);
  });
  for (const node of left.slice(right.length)) node.remove();
}

const canMorph = (shown: Node, now: Node): boolean =>
  shown.nodeName === now.nodeName && (shown instanceof Text || shown instanceof Element);

function morphNode(shown: Node, now: Node): void {
  if (shown instanceof Text) replaceText(shown, now.nodeValue ?? "");
  else morph(shown as Element, now as Element);
}

/** Replaces only the characters that differ: a selection moves with its words. */
function replaceText(shown: Text, words: string): void {
  const { start, end } = commonEnds(shown.data, words);
  shown.replaceData(start, shown.length - start - end, words.slice(start, words.length - end));
}

/** Returns the lengths of the common prefix and suffix. */
export function commonEnds(one: string, other: string): { start: number; end: number } {
  const most = Math.min(one.length, other.length);
  let start = 0;
  while (start < most && one[start] === other[start]) start++;
  let end = 0;
  while (end < most - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  return { start, end };
}
