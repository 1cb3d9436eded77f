/**
 * Lets React work on a page that the browser translates: Chrome and Edge put texts into `<font>` elements, and React, which
 * then asks to remove a text from its former parent or to insert something before it, would replace the page by an error
 * (github.com/facebook/react/issues/11538).
 */
export function tolerateTranslation(): void {
  const { insertBefore, removeChild } = Node.prototype;
  Node.prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
    const parent = child.parentNode;
    if (parent) removeChild.call(parent, child);
    return child;
  };
  Node.prototype.insertBefore = function <Child extends Node>(
    this: Node,
    node: Child,
    before: Node | null,
  ): Child {
    let next = before;
    while (next && next.parentNode !== this) next = next.parentNode;
    insertBefore.call(this, node, next);
    return node;
  };
}
