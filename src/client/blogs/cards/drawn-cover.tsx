import type { CSSProperties } from "react";
import { hueOf } from "../../ui/drawn.ts";
import "./drawn-cover.css";

const NOTES = 7;
const LINES = "M0 22h120M0 31h120M0 40h120M0 49h120M0 58h120";

/** A few bars that a title sounds like: what a card shows of a blog without a cover. The same title always looks the same. */
export function DrawnCover({ title }: { title: string }) {
  return (
    <svg
      className="drawn-cover drawn"
      viewBox="0 0 120 80"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
      style={{ "--hue": hueOf(title) } as CSSProperties}
    >
      <path d={LINES} className="drawn-cover-lines" />
      {melody(title).map((step, index) => (
        <ellipse
          key={index}
          cx={15 + index * 14}
          cy={62.5 - step * 4.5}
          rx="4.6"
          ry="3.6"
          transform={`rotate(-18 ${15 + index * 14} ${62.5 - step * 4.5})`}
        />
      ))}
      <path d="M111 22h1v36h-1zM114 22h3v36h-3z" />
    </svg>
  );
}

/** Steps on the stave, 0 to 10, each within a third or so of the one before, as tunes go. */
function melody(title: string): number[] {
  let seed = hueOf(`${title}·`) + 1;
  let step = seed % 8;
  return Array.from({ length: NOTES }, () => {
    seed = (seed * 16807) % 2147483647;
    step += (seed % 7) - 3;
    step = step < 0 ? -step : step > 10 ? 20 - step : step;
    return step;
  });
}
