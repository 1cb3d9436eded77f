import {
  circle,
  clipped,
  ellipse,
  moved,
  nth,
  path,
  polygon,
  rect,
  ring,
  stroke,
  times,
  type Scene,
} from "./drawing.ts";

/** Brackets as large as a house, lines of a program between them. */
export function brackets(scene: Scene): string {
  const { width, height, colours: c, between, pick, whole } = scene;
  const kind = pick(["angle", "curly"] as const);
  const marked = whole(1, 4);
  const lines = [0, 1, 1, 2, 1, 0].map((indent, row) => {
    let x = -230 + indent * 74;
    const y = -260 + row * 104;
    if (row === marked) return rect(x, y - 23, between(190, 330), 46, c.accent, 23);
    return times(whole(1, 3), () => {
      const long = Math.max(60, Math.min(between(60, 190), 260 - x));
      const word = x > 220 ? "" : rect(x, y - 23, long, 46, pick([c.near, c.mid, c.far, c.far]), 23);
      x += long + 26;
      return word;
    });
  });
  const sign = (d: string, x: number, y: number, thick: number, colour: string) =>
    moved(x + 26, y + 30, 0, 1, stroke(d, c.far, thick)) + moved(x, y, 0, 1, stroke(d, colour, thick));
  const sun = circle(
    width * between(0.3, 0.7),
    height * between(0.3, 0.7),
    between(330, 400),
    c.light,
    'opacity="0.5"',
  );
  const middle = height / 2;
  if (kind === "angle") {
    return [
      sun,
      sign("M150 -260 L-130 0 L150 260", width * 0.22, middle, 92, c.ink),
      sign("M110 -330 L-110 330", width * 0.5, middle, 92, c.accent),
      sign("M-150 -260 L130 0 L-150 260", width * 0.78, middle, 92, c.ink),
      [0.08, 0.92]
        .map((level, side) =>
          times(5, (index) =>
            rect(
              width * 0.12 + index * 250 + side * 60,
              height * level - 20,
              between(90, 210),
              40,
              nth([c.far, c.mid, c.far, c.near, c.far], index),
              20,
            ),
          ),
        )
        .join(""),
    ].join("");
  }
  const curl = "C30 -350 40 -260 40 -170 C40 -70 10 -20 -80 0 C10 20 40 70 40 170 C40 260 30 350 150 350";
  const mirrored =
    "C-30 -350 -40 -260 -40 -170 C-40 -70 -10 -20 80 0 C-10 20 -40 70 -40 170 C-40 260 -30 350 -150 350";
  return [
    sun,
    sign(`M150 -350 ${curl}`, width * 0.17, middle, 84, c.ink),
    sign(`M-150 -350 ${mirrored}`, width * 0.83, middle, 84, c.ink),
    moved(width * 0.5, middle, 0, 1, lines.join("")),
  ].join("");
}

/** A page as a grid sees it: columns that agree with each other across the rows. */
export function panes(scene: Scene): string {
  const { width, height, colours: c, between, pick, whole } = scene;
  const columns = [0.05, between(0.3, 0.4), between(0.55, 0.63), between(0.76, 0.84), 0.95];
  const rows = [0.07, 0.24, between(0.38, 0.46), between(0.58, 0.66), 0.79, 0.93];
  const red = whole(1, 3);
  return (
    rows
      .slice(0, -1)
      .map((top, row) => {
        const y = height * top;
        const h = height * (nth(rows, row + 1) - top) - 20;
        const joined = whole(0, 2);
        return columns
          .slice(0, -1)
          .map((left, column) => {
            if (column === joined + 1 && row % 2 === 0) return "";
            const end = column === joined && row % 2 === 0 ? column + 2 : column + 1;
            const x = width * left;
            const w = width * (nth(columns, end) - left) - 20;
            const fill =
              row === red && column === 3 ? c.accent : pick([c.light, c.far, c.far, c.mid, c.near]);
            const text =
              fill === c.light && h > 110
                ? times(Math.floor((h - 50) / 38), (line) =>
                    rect(x + 30, y + 34 + line * 38, Math.max(30, (w - 60) * between(0.4, 1)), 12, c.mid, 6),
                  )
                : "";
            return rect(x, y, w, h, fill, 8) + text;
          })
          .join("");
      })
      .join("") +
    columns
      .slice(1, -1)
      .map((x) => stroke(`M${width * x - 10} 0 V${height}`, c.accent, 3, 'stroke-dasharray="3 15"'))
      .join("")
  );
}

/** A binary tree, and the way to one of its leaves. */
export function tree(scene: Scene): string {
  const { width, height, colours: c, whole, random } = scene;
  const depth = 4;
  const goal = whole(1, 14);
  const spot = (level: number, index: number): [number, number] => [
    (width * (index + 0.5)) / 2 ** level,
    height * (0.13 + level * 0.19),
  ];
  const onWay = (level: number, index: number) => index === goal >> (depth - level);
  let edges = "";
  let nodes = "";
  for (let level = 0; level <= depth; level++) {
    for (let index = 0; index < 2 ** level; index++) {
      const [x, y] = spot(level, index);
      const way = onWay(level, index);
      if (level > 0) {
        const [px, py] = spot(level - 1, index >> 1);
        edges += stroke(
          `M${px} ${py} C${px} ${py + 90} ${x} ${y - 110} ${x} ${y}`,
          way ? c.accent : c.mid,
          way ? 14 : 7,
        );
      }
      const r = nth([74, 62, 50, 40, 31], level);
      const fill = way
        ? c.accent
        : level === depth
          ? random() < 0.4
            ? c.far
            : c.near
          : level % 2
            ? c.near
            : c.ink;
      nodes += level === depth && !way ? rect(x - r, y - r, r * 2, r * 2, fill, 9) : circle(x, y, r, fill);
      if (way) nodes += circle(x, y, r * 0.36, c.light);
    }
  }
  return edges + nodes;
}

/** Discs of stored things; one drawer of them stands open. */
export function stack(scene: Scene): string {
  const { width, height, colours: c, between, whole } = scene;
  const pile = (x: number, base: number, rx: number, count: number, out: number) =>
    times(count, (index) => {
      const y = base - index * 124;
      const odd = index === out;
      return (
        disc(x + (odd ? rx * 0.34 : 0), y, rx, 92, odd ? "#a83217" : c.near, odd ? c.accent : c.mid) +
        [0, 1, 2]
          .map((dot) =>
            circle(
              x - rx * 0.62 + dot * 34 + (odd ? rx * 0.34 : 0),
              y + rx * 0.2 + 52,
              9,
              dot ? c.far : c.light,
            ),
          )
          .join("")
      );
    });
  return [
    ellipse(width * 0.5, height * 0.92, 780, 110, c.far),
    pile(width * 0.2, height * 0.76, 190, whole(2, 3), -1),
    pile(width * 0.82, height * 0.72, 170, whole(2, 4), -1),
    pile(width * between(0.48, 0.52), height * 0.8, 300, 5, whole(1, 3)),
  ].join("");
}

function disc(x: number, y: number, rx: number, thick: number, side: string, top: string): string {
  const ry = rx * 0.27;
  return (
    path(`M${x - rx} ${y} v${thick} a${rx} ${ry} 0 0 0 ${rx * 2} 0 v${-thick} Z`, side) +
    ellipse(x, y, rx, ry, top)
  );
}

/** Five lines in a wind, and notes that hold on to them. */
export function staves(scene: Scene): string {
  const { width, height, colours: c, between, whole, pick } = scene;
  const single = pick([true, false]);
  const [bend, tilt, gap] = [between(60, 130) * pick([-1, 1]), between(-0.12, 0.12), single ? 68 : 46];
  const middle = (x: number, base: number) =>
    base + bend * Math.sin((x / width) * Math.PI * 1.7) + (x - width / 2) * tilt;
  const staff = (base: number, colour: string) =>
    times(5, (line) => {
      let d = "";
      for (let x = 0; x <= width; x += 25) d += `${d ? "L" : "M"}${x} ${middle(x, base) + (line - 2) * gap} `;
      return stroke(d, colour, 6);
    });
  const red = whole(2, 5);
  const notes = (base: number, count: number, marked: number) =>
    times(count, (index) => {
      const x = 210 + index * ((width - 320) / (count - 1)) + between(-20, 20);
      const step = whole(-4, 4);
      const y = middle(x, base) + step * (gap / 2);
      const fill = index === marked ? c.accent : c.ink;
      const up = step >= 0;
      const open = index % 4 === 1 && index !== marked;
      const stem = up ? `M${x + 35} ${y - 8} v-176` : `M${x - 35} ${y + 8} v176`;
      const flag =
        index % 3 === 2
          ? stroke(
              up ? `M${x + 35} ${y - 184} q58 40 40 104` : `M${x - 35} ${y + 184} q58 -40 40 -104`,
              fill,
              11,
            )
          : "";
      return (
        stroke(stem, fill, 9) +
        flag +
        moved(x, y, -20, 1, ellipse(0, 0, 43, 31, fill), open ? ellipse(0, 0, 27, 12, c.ground) : "")
      );
    });
  if (single)
    return (
      circle(width * between(0.2, 0.8), height * between(0.25, 0.4), 230, c.far) +
      staff(height * 0.5, c.near) +
      notes(height * 0.5, 8, red)
    );
  return (
    staff(height * 0.28, c.mid) +
    staff(height * 0.74, c.mid) +
    notes(height * 0.28, 7, -1) +
    notes(height * 0.74, 7, red)
  );
}

/** People talking, several at a time, some of them in tones. */
export function speech(scene: Scene): string {
  const { width, height, colours: c, between, pick } = scene;
  const crowd = pick([true, false]);
  const bubble = (
    x: number,
    y: number,
    w: number,
    h: number,
    fill: string,
    mark: string,
    tail: number,
    inside: string,
  ) =>
    moved(
      width * x,
      height * y,
      between(-4, 4),
      1,
      rect(-w / 2, -h / 2, w, h, fill, Math.min(w, h) * 0.42),
      polygon(
        [
          [tail * w * 0.16, h * 0.4],
          [tail * w * 0.4, h * 0.3],
          [tail * w * 0.42, h * 0.78],
        ],
        fill,
      ),
      stroke(inside, mark, 19),
    );
  const tones = [
    "M-70 0 H70",
    "M-64 50 L64 -50",
    "M-64 -46 Q0 -40 64 46",
    "M-76 -30 C-40 50 10 50 76 -50",
    "M-76 10 L-14 -16 M14 10 L76 -60",
    "M-60 -60 Q20 -50 50 50",
  ] as const;
  const wide = [
    "M-150 -30 H60 M-150 36 H130",
    "M-130 0 h10 M0 0 h10 M130 0 h10",
    "M-140 0 q35 -60 70 0 t70 0 t70 0 t70 0",
  ] as const;
  if (!crowd) {
    return [
      bubble(0.36, 0.36, 880, 520, c.near, c.light, -1, "M-300 -110 H180 M-300 -10 H290 M-300 90 H40"),
      bubble(0.72, 0.62, 660, 440, c.accent, c.light, 1, "M-180 -70 H120 M-180 20 H190 M-180 110 H-20"),
      bubble(0.9, 0.2, 220, 170, c.far, c.ink, -1, tones[0]),
      bubble(0.13, 0.83, 260, 190, c.mid, c.light, 1, tones[3]),
    ].join("");
  }
  return [
    bubble(0.22, 0.26, 520, 330, c.near, c.light, -1, pick(wide)),
    bubble(0.8, 0.24, 440, 300, c.far, c.ink, 1, tones[5]),
    bubble(0.14, 0.74, 330, 270, c.mid, c.light, 1, tones[4]),
    bubble(0.84, 0.72, 470, 320, c.ink, c.light, 1, wide[1]),
    bubble(0.5, 0.5, 520, 400, c.accent, c.light, -1, tones[3]),
    bubble(0.5, 0.86, 240, 170, c.light, c.ink, 1, tones[1]),
  ].join("");
}

/** A spoked wheel, larger than the picture. */
export function wheel(scene: Scene): string {
  const { width, height, colours: c, between, whole, pick } = scene;
  const side = pick([0, 1]);
  const [x, y, r] = side ? [width * 0.68, height * 0.62, 600] : [width * 0.36, height * 0.5, 450];
  const spokes = (radius: number, hub: number) =>
    times(36, (index) => {
      const at = (index / 36) * 2 * Math.PI;
      const lean = (index % 2 ? 1 : -1) * 1.15;
      return stroke(
        `M${Math.cos(at + lean) * hub} ${Math.sin(at + lean) * hub} L${Math.cos(at) * radius} ${Math.sin(at) * radius}`,
        c.ink,
        3.5,
      );
    });
  const full = (px: number, py: number, radius: number, turn: number, marked: boolean) =>
    moved(
      px,
      py,
      turn,
      1,
      ring(0, 0, radius, c.ink, radius * 0.085),
      ring(0, 0, radius * 0.91, c.mid, radius * 0.05),
      spokes(radius * 0.89, radius * 0.1),
      circle(0, 0, radius * 0.125, c.near),
      circle(0, 0, radius * 0.05, c.light),
      marked
        ? path(
            `M${radius} 0 A${radius} ${radius} 0 0 1 ${Math.cos(0.9) * radius} ${Math.sin(0.9) * radius}`,
            "none",
            `stroke="${c.accent}" stroke-width="${radius * 0.085}"`,
          )
        : "",
      rect(-6, -radius * 0.89, 12, radius * 0.16, c.accent, 4),
    );
  const small = side
    ? full(width * 0.13, height * 0.24, 190, whole(0, 90), false)
    : full(width * 0.86, height * 0.78, 260, whole(0, 90), false);
  return [
    side ? "" : rect(0, height * 0.93, width, height, c.far),
    circle(x, y, r * 0.95, c.light, 'opacity="0.55"'),
    small,
    full(x, y, r, between(0, 360), true),
  ].join("");
}

/** Looking into a lens: rings of glass, seven blades, a strip of film behind. */
export function lens(scene: Scene): string {
  const { width, height, colours: c, between } = scene;
  const [x, y] = [width * between(0.42, 0.58), height / 2];
  const opening = between(96, 130);
  const blades = times(7, (index) => {
    const a = (index / 7) * 2 * Math.PI;
    const b = a + (2 * Math.PI) / 7;
    const far = a + 1.9;
    return polygon(
      [
        [Math.cos(a) * opening, Math.sin(a) * opening],
        [Math.cos(b) * opening, Math.sin(b) * opening],
        [Math.cos(far) * 330, Math.sin(far) * 330],
        [Math.cos(a + 0.75) * 330, Math.sin(a + 0.75) * 330],
      ],
      index % 2 ? c.near : c.ink,
      `stroke="${c.mid}" stroke-width="3"`,
    );
  });
  const film = moved(
    width / 2,
    height / 2,
    between(-16, -8),
    1,
    rect(-1100, -250, 2200, 500, c.ink),
    times(
      34,
      (index) =>
        rect(-1090 + index * 65, -230, 36, 44, c.ground, 8) +
        rect(-1090 + index * 65, 186, 36, 44, c.ground, 8),
    ),
    times(5, (index) =>
      rect(-1050 + index * 430, -160, 400, 320, nth([c.far, c.mid, c.near, c.mid, c.far], index), 6),
    ),
  );
  return [
    film,
    circle(x, y, 452, c.ink),
    ring(x, y, 424, c.near, 22, 'stroke-dasharray="7 11"'),
    circle(x, y, 384, c.near),
    circle(x, y, 352, c.ink),
    circle(x, y, 300, c.mid),
    moved(
      x,
      y,
      between(0, 50),
      1,
      clipped("iris", circle(0, 0, 290, "#000"), circle(0, 0, 300, c.ink), blades),
    ),
    circle(x, y, opening * 0.88, c.accent),
    stroke(`M${x - 214} ${y - 90} A240 240 0 0 1 ${x - 60} ${y - 226}`, c.light, 19, 'opacity="0.8"'),
    circle(x + 150, y + 170, 25, c.light, 'opacity="0.55"'),
  ].join("");
}
