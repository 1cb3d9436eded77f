import { elementsIn, elementsNamed, isBlank, isBlock, isElement, tagOf } from "./dom.ts";
import { keepsSpaces } from "./keeps-spaces.ts";

/** Drops the line breaks that break no line: those between blocks, and one at the end of a block. */
export function dropNeedlessBreaks(root: Node): void {
  dropBetweenBlocks(root);
  // It shows nothing: editors put it there so that the line keeps its height.
  const closing = elementsNamed(root, "br").filter(closesItsBlock);
  for (const lineBreak of closing) lineBreak.parentNode?.removeChild(lineBreak);
}

/** Google Docs writes empty lines as breaks between blocks: they would become a paragraph of breaks. */
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

/** All nodes that contain a block. */
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
