// What straightening asks of a DOM. Only what browsers and the server's own tree both have, and no recursion:
// the tree may be hostile.

const blocks = new Set(
  (
    "address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure footer form " +
    "h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre search section summary " +
    "table tbody td tfoot th thead tr ul"
  ).split(" "),
);

const elementNode = 1;
const textNode = 3;

export function isElement(node: Node | null | undefined): node is Element {
  return node?.nodeType === elementNode;
}

export function tagOf(node: Node): string {
  return node.nodeName.toLowerCase();
}

export function hasClass(element: Element, name: string): boolean {
  return (element.getAttribute("class") ?? "").split(/\s+/).includes(name);
}

/** Whether the node stands on lines of its own. */
export function isBlock(node: Node): boolean {
  return isElement(node) && blocks.has(tagOf(node));
}

/** Whether the node shows nothing: white space, a comment. */
export function isBlank(node: Node): boolean {
  return node.nodeType === textNode ? /^[ \t\r\n\f]*$/.test(node.nodeValue ?? "") : !isElement(node);
}

/** All elements below the root in the order they are written. What is visited may get new children, but must stay where it is. */
export function* elementsIn(root: Node): Generator<Element> {
  let node: Node | null = root.firstChild;
  while (node) {
    if (isElement(node)) yield node;
    let next: Node | null = node.firstChild;
    while (!next && node && node !== root) {
      next = node.nextSibling;
      if (!next) node = node.parentNode;
    }
    node = next;
  }
}

/** The elements with one of these names, found before anything is changed. */
export function elementsNamed(root: Node, ...names: string[]): Element[] {
  return [...elementsIn(root)].filter((element) => names.includes(tagOf(element)));
}

/** The runs of neighbouring children that stand on no line of their own; runs that show nothing are left out. */
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

/** Puts a new element where the run stands, and the run into it. */
export function wrapRun(run: Node[], tag: string): Element {
  const first = run[0] as Node;
  const wrapper = ownerOf(first).createElement(tag);
  first.parentNode?.insertBefore(wrapper, first);
  for (const node of run) wrapper.appendChild(node);
  return wrapper;
}

/** Gives one element's class and style to another, which has none yet. */
export function moveFormats(from: Element, to: Element): void {
  for (const name of ["class", "style"]) {
    const value = from.getAttribute(name);
    if (value) to.setAttribute(name, value);
    from.removeAttribute(name);
  }
}

/** The next sibling that shows something; null where there is none. */
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

/** All that is written below the node. */
export function textOf(node: Node): string {
  const parts: string[] = [];
  for (const text of textsIn(node)) parts.push(text.nodeValue ?? "");
  return parts.join("");
}

/** All texts below the root in their order. */
export function* textsIn(root: Node): Generator<Node> {
  let node: Node | null = root.firstChild;
  while (node) {
    if (node.nodeType === textNode) yield node;
    let next: Node | null = node.firstChild;
    while (!next && node && node !== root) {
      next = node.nextSibling;
      if (!next) node = node.parentNode;
    }
    node = next;
  }
}

/** Gives the element another name; what it says of itself goes. */
export function rename(element: Element, tag: string): Element {
  const renamed = ownerOf(element).createElement(tag);
  while (element.firstChild) renamed.appendChild(element.firstChild);
  element.parentNode?.replaceChild(renamed, element);
  return renamed;
}
