import type { ReactNode } from "react";
import "./page-parts.css";

/** A grey bar in the shape of what is loading. `width` and `height` as in CSS. */
export function Skeleton({
  width = "100%",
  height = "1em",
  round = false,
}: {
  width?: string;
  height?: string;
  round?: boolean;
}) {
  return (
    <span
      className={`skeleton${round ? " round" : ""}`}
      aria-hidden="true"
      style={{ inlineSize: width, blockSize: height }}
    />
  );
}

/** Holds skeletons and announces the loading once. */
export function Loading({ label = "Loading", children }: { label?: string; children: ReactNode }) {
  return (
    <div role="status" aria-busy="true" className="stack loading">
      <span className="visually-hidden">{label}…</span>
      {children}
    </div>
  );
}
