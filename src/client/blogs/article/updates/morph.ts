/** Changes an element to match another, and leaves equal nodes alone: a selection survives where its text does. */
export function morph(shown: Element, now: Element): void {
  // Keeps open what the reader opened.
  for (const name of shown.getAttributeNames())
    if (!now.hasAttribute(name) && !/^(open|popover)$/.test(name)) shown.removeAttribute(name);
  for (const { name, value } of now.attributes)
    if (shown.getAttribute(name) !== value) shown.setAttribute(name, value);
  const [oldNodes, newNodes] = [[...shown.childNodes], [...now.childNodes]];
  const maxCommon = Math.min(oldNodes.length, newNodes.length);
  let start = 0;
  while (start < maxCommon && oldNodes[start]!.isEqualNode(newNodes[start]!)) start++;
  let end = 0;
  while (end < maxCommon - start && oldNodes.at(-1 - end)!.isEqualNode(newNodes.at(-1 - end)!)) end++;
  const [left, right] = [
    oldNodes.slice(start, oldNodes.length - end),
    newNodes.slice(start, newNodes.length - end),
  ];
  const after = oldNodes[oldNodes.length - end] ?? null;
  right.forEach((node, at) => {
    const current = left[at];
    if (current && canMorph(current, node)) morphNode(current, node);
    else if (current) current.replaceWith(node);
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
function replaceText(shown: Text, text: string): void {
  const { start, end } = commonEnds(shown.data, text);
  shown.replaceData(start, shown.length - start - end, text.slice(start, text.length - end));
}

/** Returns the lengths of the common prefix and suffix. */
export function commonEnds(one: string, other: string): { start: number; end: number } {
  const maxCommon = Math.min(one.length, other.length);
  let start = 0;
  while (start < maxCommon && one[start] === other[start]) start++;
  let end = 0;
  while (end < maxCommon - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  return { start, end };
}
