/** Creates an element where ProseMirror renders and not React. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Record<string, string>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) node.setAttribute(attribute, value);
  node.append(...children);
  return node;
}

/** Sets attributes, and removes those that are null. */
export function setAttributes(node: Element, attributes: Record<string, string | number | null>): void {
  for (const [name, value] of Object.entries(attributes))
    if (value === null) node.removeAttribute(name);
    else node.setAttribute(name, String(value));
}
