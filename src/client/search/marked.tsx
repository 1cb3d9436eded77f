import type { TextPart } from "../../shared/search.ts";

export function Marked({ parts }: { parts: readonly TextPart[] }) {
  // The parts have no ids and a fixed order.
  return parts.map(({ text, hit }, index) => (hit ? <mark key={index}>{text}</mark> : text));
}

export const hasHit = (parts: readonly TextPart[]): boolean => parts.some(({ hit }) => hit);
