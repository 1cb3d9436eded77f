import type { TextPart } from "../../shared/search.ts";

/** A text with what was searched for marked in it. */
export function Marked({ parts }: { parts: readonly TextPart[] }) {
  // The parts have no names and never change places: their index is who they are.
  return parts.map(({ text, hit }, index) => (hit ? <mark key={index}>{text}</mark> : text));
}

export const hasHit = (parts: readonly TextPart[]): boolean => parts.some(({ hit }) => hit);
