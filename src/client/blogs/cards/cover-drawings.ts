import { hueOf } from "../../../shared/initials.ts";

/** The SVG paths of a generated cover of 120 × 80: filled faintly or fully, or stroked. */
export interface CoverPaths {
  faint?: string;
  lines?: string;
  full?: string;
}

/** The attributes of each path, in a drawing with the ink as fill and strokes of 0.6. */
export const coverPaint = {
  faint: { opacity: 0.28 },
  lines: { fill: "none", stroke: "currentColor", opacity: 0.6 },
  full: {},
} satisfies Record<keyof CoverPaths, object>;

type RandomBelow = (below: number) => number;

/** Returns a pseudo-random generator seeded with a title. */
function randomFor(title: string): RandomBelow {
  let seed = 1 + hueOf(`${title}·`) + 360 * hueOf(`·${title}`);
  return (below) => {
    seed = (seed * 16807) % 2147483647;
    return seed % below;
  };
}

const times = <Made>(count: number, make: (index: number) => Made): Made[] =>
  Array.from({ length: count }, (_, at) => make(at));
const disc = (x: number, y: number, r: number): string =>
  `M${x - r} ${y}a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1 ${-2 * r} 0z`;
const head = (x: number, y: number): string =>
  `M${x - 4.4} ${y + 1.4}a4.6 3.6 -18 1 1 8.8 -2.8a4.6 3.6 -18 1 1 -8.8 2.8z`;

/** Notes on a stave, at most three steps apart. */
function tune(chance: RandomBelow): CoverPaths {
  let step = chance(8);
  const heads = times(7, (at) => {
    step += chance(7) - 3;
    step = step < 0 ? -step : step > 10 ? 20 - step : step;
    return head(15 + at * 14, 62.5 - step * 4.5);
  });
  return {
    lines: "M0 22h120M0 31h120M0 40h120M0 49h120M0 58h120",
    full: `${heads.join("")}M111 22h1v36h-1zM114 22h3v36h-3z`,
  };
}

/** Vibrating strings. */
function strings(chance: RandomBelow): CoverPaths {
  const length = [20, 24, 30, 40][chance(4)]!;
  const most = 5 + chance(5);
  const middle = 1 + chance(5);
  const lines = times(7, (at) => {
    const swing = Math.round(2 * Math.max(0.4, most - 2.4 * Math.abs(at - middle)));
    return `M-${length / 2} ${10 + at * 10}q${length / 4} ${-swing} ${length / 2} 0${`t${length / 2} 0`.repeat(Math.ceil(270 / length))}`;
  });
  return { lines: lines.join("") };
}

function volumeBars(chance: RandomBelow): CoverPaths {
  let size = 8 + chance(16);
  const bars = times(17, (at) => {
    size = Math.min(30, Math.max(3, size + chance(15) - 7));
    return `M${5 + at * 6.6} ${40 - size}h3.4v${2 * size}h-3.4z`;
  });
  const until = 3 + chance(12);
  return { full: bars.slice(0, until).join(""), faint: bars.slice(until).join("") };
}

function record(chance: RandomBelow): CoverPaths {
  const [x, y] = [[24, 60, 96][chance(3)]!, [12, 40, 68][chance(3)]!];
  const gap = 5 + chance(4);
  return {
    faint: disc(x, y, 7 * gap + 3),
    lines: times(6, (at) => disc(x, y, (at + 2) * gap)).join(""),
    full: disc(x, y, gap),
  };
}

/** The perforated paper of a music box. */
function perforatedPaper(chance: RandomBelow): CoverPaths {
  const dots = (size: number, is: (hole: boolean) => boolean, places: boolean[]): string =>
    places
      .map((hole, at) => (is(hole) ? disc(10 + (at % 11) * 10, 10 + Math.floor(at / 11) * 10, size) : ""))
      .join("");
  const places = times(77, () => chance(10) < 3);
  return { full: dots(3.4, (hole) => hole, places), faint: dots(1.4, (hole) => !hole, places) };
}

function tiles(chance: RandomBelow): CoverPaths {
  const size = 20;
  const quarter = (x: number, y: number): string => {
    const [l, t, r, b] = [x * size, y * size, (x + 1) * size, (y + 1) * size];
    return [
      `M${l} ${t}h${size}a${size} ${size} 0 0 1 -${size} ${size}z`,
      `M${r} ${t}v${size}a${size} ${size} 0 0 1 -${size} -${size}z`,
      `M${r} ${b}h-${size}a${size} ${size} 0 0 1 ${size} -${size}z`,
      `M${l} ${b}v-${size}a${size} ${size} 0 0 1 ${size} ${size}z`,
    ][chance(4)]!;
  };
  const [full, faint]: [string[], string[]] = [[], []];
  for (let x = 0; x < 6; x++)
    for (let y = 0; y < 4; y++) {
      const kind = chance(8);
      if (kind < 7) (kind < 3 ? full : faint).push(quarter(x, y));
    }
  return { full: full.join(""), faint: faint.join("") };
}

function hills(chance: RandomBelow): CoverPaths {
  const hill = (y: number): string => {
    const bend = 12 + chance(14);
    const x = 25 + chance(50);
    return `M0 ${y + chance(12)}Q${x / 2} ${y - bend} ${x} ${y}T120 ${y - 4 + chance(14)}V80H0z`;
  };
  const far = hill(46);
  return {
    faint: far + disc(20 + chance(80), 18 + chance(10), 6 + chance(7)),
    full: hill(62),
    lines: hill(54),
  };
}

const forms = [tune, strings, volumeBars, record, perforatedPaper, tiles, hills];

const maxKept = 1_000;
/** By title. */
const kept = new Map<string, CoverPaths>();

/** Returns a title's drawing, always the same one. */
export function drawCoverFor(title: string): CoverPaths {
  let paths = kept.get(title);
  if (!paths) {
    if (kept.size >= maxKept) kept.clear();
    kept.set(title, (paths = forms[hueOf(`${title}¶`) % forms.length]!(randomFor(title))));
  }
  return paths;
}
