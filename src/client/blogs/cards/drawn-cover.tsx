import type { CSSProperties } from "react";
import { hueOf } from "../../../shared/drawn.ts";
import { drawingOf } from "./drawn-forms.ts";
import "./drawn-cover.css";

/** What a card shows of a blog without a cover: a form and a hue that its title gives. The same title always looks the same. */
export function DrawnCover({ title }: { title: string }) {
  const { faint, lines, full } = drawingOf(title);
  return (
    <svg
      className="drawn-cover drawn"
      viewBox="0 0 120 80"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
      style={{ "--hue": hueOf(title) } as CSSProperties}
    >
      {faint && <path d={faint} className="drawn-cover-faint" />}
      {lines && <path d={lines} className="drawn-cover-lines" />}
      {full && <path d={full} />}
    </svg>
  );
}
