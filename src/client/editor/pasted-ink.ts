import { Fragment, Slice } from "prosemirror-model";
import type { Mark, Node } from "prosemirror-model";
import { schema } from "../../shared/document/schema.ts";

const { background, color, link, underline } = schema.marks;

/** The shares of red, green and blue (0 to 1) in `#rrggbb`. */
const sharesOf = (ink: string) =>
  [1, 3, 5].map((at) => Number.parseInt(ink.slice(at, at + 2), 16) / 255) as [number, number, number];

/** Whether a pasted colour is merely the ink or paper of where it comes from: it would be unreadable on ours by night. */
function isInkOrPaper(mark: Mark): boolean {
  if (mark.type !== color && mark.type !== background) return false;
  const shares = sharesOf(String(mark.attrs.color));
  const [least, most] = [Math.min(...shares), Math.max(...shares)];
  const light = (most + least) / 2;
  return most - least < 0.12 || light < 0.14 || (mark.type === background && light > 0.96);
}

/** Whether programs draw links so: underlined and blue, or violet once visited. */
function drawsLink(mark: Mark): boolean {
  if (mark.type === underline) return true;
  if (mark.type !== color) return false;
  const [red, green, blue] = sharesOf(String(mark.attrs.color));
  return blue > green && blue > red * 0.7;
}

const cleanMarks = (marks: readonly Mark[]): readonly Mark[] =>
  marks.filter((mark) => !isInkOrPaper(mark) && !(link.isInSet(marks) && drawsLink(mark)));

const cleanNodes = (nodes: Fragment): Fragment =>
  Fragment.fromArray(
    nodes.content.map((node: Node) =>
      node.isText ? node.mark(cleanMarks(node.marks)) : node.copy(cleanNodes(node.content)),
    ),
  );

/** Removes the text and background colours of the program it was copied from, and how that program draws links. */
export const withoutInk = (slice: Slice): Slice =>
  new Slice(cleanNodes(slice.content), slice.openStart, slice.openEnd);
