import type { CSSProperties } from "react";
import { hueOf } from "../../../shared/initials.ts";
import { drawCoverFor } from "./cover-drawings.ts";
import "./generated-cover.css";

/** A blog's generated cover; the same title always looks the same. */
export function GeneratedCover({ title }: { title: string }) {
  const { faint, lines, full } = drawCoverFor(title);
  return (
    <svg
      className="generated-cover drawn"
      viewBox="0 0 120 80"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
      style={{ "--hue": hueOf(title) } as CSSProperties}
    >
      {faint && <path d={faint} className="generated-cover-faint" />}
      {lines && <path d={lines} className="generated-cover-lines" />}
      {full && <path d={full} />}
    </svg>
  );
}
