import { elementsIn, elementsNamed, isBlank, isBlock, isElement, tagOf, keepsSpaces } from "./dom.ts";

/** Drops line breaks without effect: between blocks, and at the end of a block. */
export function dropNeedlessBreaks(root: Node): void {
  dropBetweenBlocks(root);
  // Editors add it to keep the height of the line.
  const closing = elementsNamed(root, "br").filter(closesItsBlock);
  for (const lineBreak of closing) lineBreak.parentNode?.removeChild(lineBreak);
}

/** Drops breaks between blocks, by which Google Docs writes empty lines; they would become a paragraph. */
function dropBetweenBlocks(root: Node): void {
  const holders = holdersOfBlocks(root);
  for (const holder of holders) {
    let breaks: Element[] = [];
    let isAfterText = false;
    for (let child = holder.firstChild; child; child = child.nextSibling) {
      if (isBlank(child)) continue;
      if (isElement(child) && tagOf(child) === "br") breaks.push(child);
      else {
        const isText = !isBlock(child) && !holders.has(child);
        if (!isText && !isAfterText) for (const one of breaks) one.remove();
        breaks = [];
        isAfterText = isText;
      }
    }
    if (!isAfterText) for (const one of breaks) one.remove();
  }
}

function holdersOfBlocks(root: Node): Set<Node> {
  const holders = new Set<Node>();
  for (const element of elementsIn(root)) {
    if (!isBlock(element)) continue;
    for (let node = element.parentNode; node && !holders.has(node); node = node.parentNode) {
      holders.add(node);
      if (node === root) break;
    }
  }
  return holders;
}

function closesItsBlock(lineBreak: Element): boolean {
  let block: Node | null = lineBreak.parentNode;
  while (block && isElement(block) && !isBlock(block)) block = block.parentNode;
  const spacesCount = isElement(block) && keepsSpaces(block);
  for (let node: Node | null = lineBreak; node && node !== block; node = node.parentNode) {
    for (let next = node.nextSibling; next; next = next.nextSibling) {
      if (isBlank(next) && !(spacesCount && next.nodeValue && !isComment(next))) continue;
      return isBlock(next);
    }
  }
  return true;
}

const isComment = (node: Node) => node.nodeType === 8;
