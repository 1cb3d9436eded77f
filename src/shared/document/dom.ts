// Uses only what browsers and the server's tree have in common, and no recursion: the tree may be hostile.

const blocks = new Set(
  (
    "address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure footer form " +
    "h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre search section summary " +
    "table tbody td tfoot th thead tr ul"
  ).split(" "),
);

const elementNode = 1;
const textNode = 3;
const commentNode = 8;

export function isElement(node: Node | null | undefined): node is Element {
  return node?.nodeType === elementNode;
}

export function tagOf(node: Node): string {
  return node.nodeName.toLowerCase();
}

export function hasClass(element: Element, name: string): boolean {
  const names = element.getAttribute("class") ?? "";
  return names.includes(name) && names.split(/\s+/).includes(name);
}

export function isBlock(node: Node): boolean {
  return isElement(node) && blocks.has(tagOf(node));
}

export const isText = (node: Node | null | undefined): node is Text => node?.nodeType === textNode;

/** Whether it is white space or a comment. */
export function isBlank(node: Node): boolean {
  return node.nodeType === textNode ? /^[ \t\r\n\f]*$/.test(node.nodeValue ?? "") : !isElement(node);
}

/** Yields the nodes of a type below the root in document order. A yielded one may get new children, but must not move. */
function* nodesIn(root: Node, type: number): Generator<Node> {
  let node: Node | null = root.firstChild;
  while (node) {
    if (node.nodeType === type) yield node;
    let next: Node | null = node.firstChild;
    while (!next && node && node !== root) {
      next = node.nextSibling;
      if (!next) node = node.parentNode;
    }
    node = next;
  }
}

export const elementsIn = (root: Node) => nodesIn(root, elementNode) as Generator<Element>;
export const textsIn = (root: Node) => nodesIn(root, textNode);
export const commentsIn = (root: Node) => nodesIn(root, commentNode);

/** Returns the elements with these names, collected before anything changes. */
export function elementsNamed(root: Node, ...names: string[]): Element[] {
  // Browsers find them much faster: straightening searches large texts many times.
  if ("querySelectorAll" in root) return [...(root as ParentNode).querySelectorAll(names.join(","))];
  return [...elementsIn(root)].filter((element) => names.includes(tagOf(element)));
}

/** Returns its children, collected before anything changes. */
export function childrenOf(parent: Node): ChildNode[] {
  const children: ChildNode[] = [];
  for (let child = parent.firstChild; child; child = child.nextSibling) children.push(child);
  return children;
}

/** Returns the elements directly in it, only those with these names if there are any. */
export const childElements = (parent: Node, ...names: string[]): Element[] =>
  childrenOf(parent).filter(
    (child): child is ChildNode & Element =>
      isElement(child) && (names.length === 0 || names.includes(tagOf(child))),
  );

export const firstWithClass = (root: Node, name: string): Element | undefined => {
  for (const element of elementsIn(root)) if (hasClass(element, name)) return element;
  return undefined;
};

/** Returns the runs of neighbouring inline children that show something. */
export function inlineRuns(parent: Node): Node[][] {
  const runs: Node[][] = [];
  let run: Node[] = [];
  for (let child = parent.firstChild; child; child = child.nextSibling) {
    if (!isBlock(child)) run.push(child);
    else if (run.length > 0) {
      runs.push(run);
      run = [];
    }
  }
  if (run.length > 0) runs.push(run);
  return runs.filter((nodes) => !nodes.every(isBlank));
}

export function wrapRun(run: Node[], tag: string): Element {
  const first = run[0] as Node;
  const wrapper = ownerOf(first).createElement(tag);
  first.parentNode?.insertBefore(wrapper, first);
  for (const node of run) wrapper.appendChild(node);
  return wrapper;
}

/** Moves the content of one element to the end of another. */
export function moveContent(from: Node, to: Node): void {
  while (from.firstChild) to.appendChild(from.firstChild);
}

/** Moves class and style to an element that has none. */
export function moveFormats(from: Element, to: Element): void {
  for (const name of ["class", "style"]) {
    const value = from.getAttribute(name);
    if (value) to.setAttribute(name, value);
    from.removeAttribute(name);
  }
}

export function nextShown(node: Node): Node | null {
  let next = node.nextSibling;
  while (next && isBlank(next)) next = next.nextSibling;
  return next;
}

export function firstShown(parent: Node): Node | null {
  const first = parent.firstChild;
  return first && isBlank(first) ? nextShown(first) : first;
}

export function ownerOf(node: Node): Document {
  return node.ownerDocument ?? (node as Document);
}

export function textOf(node: Node): string {
  const parts: string[] = [];
  for (const text of textsIn(node)) parts.push(text.nodeValue ?? "");
  return parts.join("");
}

/** Replaces the element with one of another name, without its attributes. */
export function rename(element: Element, tag: string): Element {
  const renamed = ownerOf(element).createElement(tag);
  moveContent(element, renamed);
  element.parentNode?.replaceChild(renamed, element);
  return renamed;
}

/** Replaces blocks in an element that is one line of text, as a summary or caption, with their content. */
export function unfoldBlocks(line: Element): void {
  for (let node = line.firstChild; node;) {
    if (!isBlock(node)) {
      node = node.nextSibling;
      continue;
    }
    const first: ChildNode | null = node.firstChild;
    const next: ChildNode | null = node.nextSibling;
    // Keeps two lines apart.
    if (node.previousSibling && first) line.insertBefore(ownerOf(line).createTextNode(" "), node);
    while (node.firstChild) line.insertBefore(node.firstChild, node);
    node.remove();
    node = first ?? next;
  }
}

export function keepsSpaces(dom: Element): boolean {
  return /(?:^|;)\s*white-space\s*:\s*(?:pre|break-spaces)/i.test(dom.getAttribute("style") ?? "");
}
