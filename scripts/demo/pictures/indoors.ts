import {
  circle,
  clipped,
  ellipse,
  leaf,
  moon,
  moved,
  nth,
  path,
  polygon,
  rect,
  ridge,
  ring,
  stroke,
  times,
  type Scene,
} from "./drawing.ts";

/** Loaves on the bench, cut before they went in; a cloth, and flour on everything. */
export function loaves(scene: Scene): string {
  const { width, height, colours: c, between, pick } = scene;
  const long = pick([true, false]);
  const loaf = (crust: string) =>
    long
      ? ellipse(14, 22, 210, 98, c.ink, 'opacity="0.2"') +
        ellipse(0, 0, 210, 98, crust) +
        [-112, -36, 40, 116]
          .map((x) =>
            path(
              `M${x - 26} 52 C${x - 20} 10 ${x + 4} -34 ${x + 44} -58 C${x + 34} -14 ${x + 14} 28 ${x - 26} 52 Z`,
              "#f3dcb4",
            ),
          )
          .join("")
      : circle(14, 22, 152, c.ink, 'opacity="0.2"') +
        circle(0, 0, 152, crust) +
        ring(0, 0, 118, "#f3dcb4", 6, 'stroke-dasharray="2 19" stroke-linecap="round"') +
        times(4, (index) =>
          moved(0, 0, index * 90, 1, path("M8 8 C40 30 66 66 72 112 C30 100 8 60 8 8 Z", "#f3dcb4")),
        );
  const [columns, rows] = long ? [3, 4] : [4, 3];
  const crusts = ["#a5622e", "#8f4e22", "#b97a3e", "#9a5a2b"];
  const cloth = moved(
    width * pick([0.16, 0.84]),
    height * 0.5,
    pick([-7, 6]),
    1,
    rect(-210, -700, 420, 1400, c.light),
    [-150, -120, 120, 150].map((x) => rect(x - 9, -700, 18, 1400, c.accent)).join(""),
  );
  return [
    times(7, (index) => rect(0, index * 156 + 60, width, 4, c.far)),
    cloth,
    times(columns * rows, (index) => {
      const row = Math.floor(index / columns);
      const x = width * (((index % columns) + (row % 2 ? 0.66 : 0.34)) / columns) + between(-14, 14);
      const y = height * ((row + 0.5) / rows) + between(-12, 12);
      return moved(x, y, long ? -16 + between(-7, 7) : between(0, 90), 1, loaf(pick(crusts)));
    }),
    times(150, () =>
      circle(between(0, width), between(0, height), between(1.5, 5), c.light, 'opacity="0.9"'),
    ),
  ].join("");
}

const chessmen = {
  pawn: "M-58 0 H58 V-26 C40 -44 26 -90 24 -128 H-24 C-26 -90 -40 -44 -58 -26 Z M0 -216 a46 46 0 1 1 -0.1 0 Z M-40 -142 H40 V-120 H-40 Z",
  rook: "M-72 0 H72 V-34 L50 -60 L44 -220 H66 V-292 H38 V-264 H14 V-292 H-14 V-264 H-38 V-292 H-66 V-220 H-44 L-50 -60 L-72 -34 Z",
  knight:
    "M-74 0 H74 V-32 L54 -54 C66 -150 74 -210 32 -270 L22 -312 L-2 -280 C-46 -262 -78 -220 -96 -172 C-102 -150 -84 -132 -66 -140 L-24 -160 C-20 -120 -56 -96 -56 -54 L-74 -32 Z",
  bishop:
    "M-70 0 H70 V-32 C46 -50 34 -100 30 -150 H48 V-172 H34 C70 -220 40 -280 0 -330 C-40 -280 -70 -220 -34 -172 H-48 V-150 H-30 C-34 -100 -46 -50 -70 -32 Z",
  king: "M-78 0 H78 V-36 C50 -56 38 -130 34 -214 H56 V-240 L66 -310 C40 -334 20 -336 12 -336 V-360 H32 V-382 H12 V-404 H-12 V-382 H-32 V-360 H-12 V-336 C-20 -336 -40 -334 -66 -310 L-56 -240 V-214 H-34 C-38 -130 -50 -56 -78 -36 Z",
};

/** A few chessmen late in a game; one has been given away. */
export function chess(scene: Scene): string {
  const { width, height, colours: c, between, pick, random } = scene;
  const board = height * 0.7;
  const rows = [0, 62, 150, 280, 480];
  const spread = (y: number, column: number) => width / 2 + (column - 6) * (150 + y * 0.34);
  const squares = rows.slice(0, -1).map((top, row) => {
    const bottom = nth(rows, row + 1);
    return times(12, (column) => {
      const fill = (row + column) % 2 ? c.near : c.light;
      return polygon(
        [
          [spread(top, column), board + top],
          [spread(top, column + 1), board + top],
          [spread(bottom, column + 1), board + bottom],
          [spread(bottom, column), board + bottom],
        ],
        fill,
      );
    });
  });
  const stand = (name: keyof typeof chessmen, x: number, y: number, size: number, fill: string, turn = 0) =>
    ellipse(x + 20, y + 4, 96 * size, 17 * size, c.ink, 'opacity="0.28"') +
    moved(x, y, turn, size, path(chessmen[name], fill));
  const crowd = random() < 0.5;
  const men = crowd
    ? [
        stand("pawn", width * 0.16, board + 60, 1.15, c.ink),
        stand("rook", width * 0.3, board + 40, 1.2, c.ink),
        stand("pawn", width * 0.43, board + 70, 1.15, c.ink),
        stand("knight", width * 0.57, board + 84, 1.6, c.light),
        ellipse(width * 0.82, board + 196, 210, 24, c.ink, 'opacity="0.28"'),
        moved(width * 0.94, board + 130, -86, 1.4, path(chessmen.rook, c.accent)),
      ]
    : [
        stand("king", width * pick([0.3, 0.34]), board + 50, 1.5, c.ink),
        stand("pawn", width * 0.52, board + 96, 1.4, c.accent),
        stand("bishop", width * pick([0.72, 0.76]), board + 64, 1.5, c.light),
      ];
  return [
    circle(width * between(0.2, 0.8), height * 0.34, between(210, 260), c.far),
    rect(0, board, width, height, c.mid),
    squares.flat().join(""),
    men.join(""),
  ].join("");
}

/** A house by night: some windows are still lit. */
export function windows(scene: Scene): string {
  const { width, height, colours: c, between, random, whole, pick } = scene;
  const columns = pick([5, 6, 7]);
  const rows = columns - 2;
  const [w, h] = [(width / columns) * 0.56, (height / rows) * 0.66];
  const red = whole(columns, columns * (rows - 1) - 1);
  const plant = (x: number, y: number) =>
    moved(
      x,
      y,
      0,
      w / 270,
      path("M-40 0 H40 L50 -60 H-50 Z", c.ink),
      [-52, -18, 18, 52].map((turn) => moved(0, -56, turn, 1.15, leaf(c.ink))).join(""),
    );
  const cat = (x: number, y: number) =>
    path(
      `M${x - 40} ${y} c-8 -60 10 -90 24 -100 l-4 -40 l24 18 h14 l22 -18 l-2 44 c12 20 14 60 8 96 Z`,
      c.ink,
    ) + stroke(`M${x + 40} ${y - 6} q46 -4 40 -50`, c.ink, 11);
  const lamp = (x: number, y: number, top: number) =>
    stroke(`M${x} ${top} V${y - h * 0.62}`, c.ink, 4) +
    polygon(
      [
        [x - 36, y - h * 0.42],
        [x + 36, y - h * 0.42],
        [x + 16, y - h * 0.62],
        [x - 16, y - h * 0.62],
      ],
      c.ink,
    );
  return times(columns * rows, (index) => {
    const x = width * (((index % columns) + 0.5) / columns);
    const y = height * ((Math.floor(index / columns) + 0.5) / rows);
    const chance = random();
    const lit = index === red ? c.accent : chance < 0.3 ? c.light : chance < 0.42 ? "#e5c275" : c.far;
    const [left, top, base] = [x - w / 2, y - h / 2, y + h / 2];
    const open = lit !== c.far;
    const inside = !open
      ? ""
      : index === red
        ? cat(x - 10, base)
        : pick([
            plant(x, base),
            lamp(x, base, top),
            "",
            "",
            rect(left, top, w * 0.3, h, c.ink, 0, 'opacity="0.14"') +
              rect(left + w * 0.7, top, w * 0.3, h, c.ink, 0, 'opacity="0.14"'),
          ]);
    const blind = !open && random() < 0.4 ? rect(left, top, w, h * between(0.25, 0.7), c.mid, 4) : "";
    const bars =
      index === red ? "" : rect(x - 4, top, 8, h, c.ground) + rect(left, y - h * 0.14, w, 8, c.ground);
    return (
      rect(left, top, w, h, lit, 5) + inside + blind + bars + rect(left - 16, base, w + 32, 14, c.near, 3)
    );
  });
}

/** A chest of drawers for the things that happen sometimes. */
export function drawers(scene: Scene): string {
  const { width, height, colours: c, whole } = scene;
  const open = whole(4, 7);
  const front = (x: number, y: number, w: number, h: number, fill: string) =>
    rect(x, y, w, h, fill, 8) +
    ring(x + w / 2, y + h / 2, 21, c.ink, 9) +
    circle(x + w / 2, y + h / 2 - 24, 9, c.ink);
  return [
    rect(150, 120, width - 300, height, c.near, 10),
    rect(110, 90, width - 220, 56, c.ink, 6),
    times(12, (index) => {
      const [x, y] = [196 + (index % 4) * 306, 186 + Math.floor(index / 4) * 286];
      if (index !== open) return front(x, y, 290, 262, index % 3 ? c.mid : c.far);
      return [
        rect(x, y, 290, 262, c.ink, 8),
        stroke(`M${x + 60} ${y + 70} q-50 -190 60 -150 t40 -70 q60 -60 90 20`, c.light, 8),
        rect(x + 84, y - 70, 30, 170, c.light, 4),
        path(`M${x + 99} ${y - 74} c-22 -26 -6 -46 0 -66 c8 20 22 40 0 66 Z`, c.accent),
        moved(
          x + 208,
          y + 36,
          24,
          1,
          ring(0, -62, 25, "#e5c275", 12),
          rect(-6, -38, 12, 110, "#e5c275"),
          rect(0, 34, 34, 12, "#e5c275"),
          rect(0, 58, 26, 12, "#e5c275"),
        ),
        rect(x - 24, y + 90, 338, 230, c.ink, 8, 'opacity="0.35"'),
        front(x - 24, y + 66, 338, 226, c.accent),
      ].join("");
    }),
  ].join("");
}

/** Shirts on the line, in formation, and one sock. */
export function shirts(scene: Scene): string {
  const { height, colours: c, between } = scene;
  const sag = (x: number, line: number) => height * (line + 0.075 * (1 - ((x - 800) / 800) ** 2));
  const shirt = (x: number, line: number, size: number, fill: string, trim: string) =>
    moved(
      x,
      sag(x, line) - 4,
      between(-5, 5),
      size,
      path("M-64 0 L-34 0 Q0 34 34 0 L64 0 L134 60 L100 118 L70 94 V250 H-70 V94 L-100 118 L-134 60 Z", fill),
      stroke("M-34 2 Q0 36 34 2", trim, 9),
      rect(-70, 120, 140, 26, trim),
      rect(-58, -16, 10, 36, c.ink, 4),
      rect(48, -16, 10, 36, c.ink, 4),
    );
  const sock = (x: number, line: number) =>
    moved(
      x,
      sag(x, line),
      4,
      1.2,
      path(
        "M-26 0 H26 V110 C30 124 90 128 92 156 C92 182 30 184 -2 172 C-26 160 -26 140 -26 110 Z",
        "#5d8a90",
      ),
      rect(-26, 0, 52, 22, c.light),
      rect(-5, -14, 10, 34, c.ink, 4),
    );
  const line = (level: number) =>
    stroke(
      `M0 ${sag(0, level)} Q800 ${2 * sag(800, level) - sag(0, level)} 1600 ${sag(1600, level)}`,
      c.ink,
      5,
    );
  return [
    ridge(scene, height * 0.78, 60, c.far),
    ridge(scene, height * 0.9, 40, c.mid),
    line(0.1),
    line(0.5),
    [0, 1, 2, 3]
      .map((index) => shirt(215 + index * 390, 0.1, 1.15, index === 2 ? c.near : c.accent, c.light))
      .join(""),
    [0, 1, 2].map((index) => shirt(240 + index * 380, 0.5, 1.15, c.accent, c.light)).join(""),
    sock(1360, 0.5),
  ].join("");
}

/** Jars on two shelves, filled to different heights; one of them is alive. */
export function bottles(scene: Scene): string {
  const { width, height, colours: c, between, whole, pick } = scene;
  const alive = whole(1, 3);
  const jar = (
    x: number,
    base: number,
    w: number,
    h: number,
    fill: string,
    level: number,
    id: string,
    lively: boolean,
  ) => {
    const shape = `M${x - w / 2} ${base - h + 40} q0 -40 40 -40 h${w - 80} q40 0 40 40 v${h - 64} q0 24 -24 24 h${-(w - 48)} q-24 0 -24 -24 Z`;
    const surface = base - h * level;
    const content = lively
      ? path(
          `M${x - w} ${surface + 30} Q${x} ${surface - 90} ${x + w} ${surface + 30} V${base} H${x - w} Z`,
          fill,
        )
      : rect(x - w, surface, w * 2, h, fill);
    const bubbles = lively
      ? times(20, () =>
          circle(
            x + between(-w * 0.4, w * 0.4),
            base - between(20, h * level),
            between(5, 17),
            c.light,
            'opacity="0.75"',
          ),
        )
      : "";
    return [
      path(shape, c.light, 'opacity="0.75"'),
      clipped(id, `<path d="${shape}"/>`, content, bubbles),
      rect(x - w / 2 + 24, base - h + 60, 14, h - 130, "#fff", 7, 'opacity="0.35"'),
      lively
        ? rect(x - w / 2 + 14, base - h * 0.4, w - 28, 11, c.ink, 4)
        : rect(x - w * 0.26, base - h * 0.46, w * 0.52, 76, c.light, 4) +
          stroke(`M${x - w * 0.16} ${base - h * 0.46 + 28} h${w * 0.32} m0 22 h${-w * 0.2}`, c.ink, 5),
      rect(x - w / 2 + 16, base - h - 36, w - 32, 42, lively ? c.far : c.ink, 8),
    ].join("");
  };
  const row = (base: number, sizes: number[], offset: number, from: number) =>
    sizes
      .map((h, index) => {
        const x = width * ((index + 0.5) / sizes.length) + offset;
        const lively = from + index === alive;
        return jar(
          x,
          base,
          236 + (index % 2) * 26,
          h,
          lively ? c.accent : pick([c.mid, c.near, c.far]),
          lively ? 0.72 : between(0.35, 0.85),
          `jar${from + index}`,
          lively,
        );
      })
      .join("");
  return [
    row(height * 0.48, [310, 380, 290, 350, 320], 0, 0),
    rect(0, height * 0.48, width, 26, c.near),
    row(height * 0.96, [360, 300, 390, 310, 370], 0, 5),
    rect(0, height * 0.96, width, 60, c.near),
  ].join("");
}

/** Round steaming plates with their hollows, from above, on leaves. */
export function bowls(scene: Scene): string {
  const { width, height, colours: c, between, whole } = scene;
  const empty = whole(0, 3);
  const plate = (x: number, y: number, size: number, index: number) =>
    moved(
      x,
      y,
      between(0, 90),
      size,
      circle(14, 20, 236, c.ink, 'opacity="0.2"'),
      circle(0, 0, 236, "#b9bdb9"),
      circle(0, 0, 218, "#d5d8d3"),
      times(4, (hollow) => {
        const a = (hollow / 4) * 2 * Math.PI;
        const [px, py] = [Math.cos(a) * 116, Math.sin(a) * 116];
        const filled = !(index === 1 && hollow === empty);
        return (
          circle(px, py, 82, "#9ea39f") +
          (filled
            ? circle(px, py, 74, c.light) + circle(px - 18, py - 20, 26, "#fff", 'opacity="0.7"')
            : times(5, () => circle(px + between(-34, 34), py + between(-34, 34), 5, c.light)))
        );
      }),
      circle(0, 0, 24, c.ink),
      circle(0, 0, 11, "#d5d8d3"),
    );
  return [
    times(5, (index) =>
      moved(
        -140 + index * 430,
        height / 2,
        24,
        1,
        path("M0 -760 C210 -500 210 500 0 760 C-210 500 -210 -500 0 -760 Z", index % 2 ? c.near : c.mid),
        stroke("M0 -740 V740", c.far, 9),
        times(19, (vein) => stroke(veins(-640 + vein * 70), c.far, 3, 'opacity="0.5"')),
      ),
    ),
    plate(width * 0.25, height * 0.36, 1.12, 0),
    plate(width * 0.64, height * 0.58, 1.3, 1),
    plate(width * 0.97, height * 0.16, 0.95, 2),
    circle(width * 0.2, height * 0.86, 118, c.ink),
    circle(width * 0.2, height * 0.86, 98, c.accent),
    times(9, () =>
      circle(
        width * 0.2 + between(-60, 60),
        height * 0.86 + between(-60, 60),
        between(4, 9),
        c.ink,
        'opacity="0.6"',
      ),
    ),
  ].join("");
}

/** A pair of veins that stay inside the leaf. */
function veins(y: number): string {
  const reach = 150 * Math.cos((y - 40) / 500);
  return `M0 ${y} q${reach * 0.6} -24 ${reach} -70 M0 ${y} q${-reach * 0.6} -24 ${-reach} -70`;
}

/** Breakfast on a tray, from above. */
export function cup(scene: Scene): string {
  const { width, height, colours: c, between } = scene;
  return moved(
    width / 2,
    height / 2,
    between(-9, 9),
    1,
    rect(-640, -390, 1280, 800, c.ink, 60, 'opacity="0.2" transform="translate(20 26)"'),
    rect(-640, -400, 1280, 800, c.near, 60),
    rect(-600, -360, 1200, 720, c.mid, 36),
    rect(-560, 110, 280, 200, c.far, 6, 'transform="rotate(-8 -400 200)"'),
    rect(
      -540,
      130,
      240,
      160,
      "none",
      4,
      `transform="rotate(-8 -400 200)" stroke="${c.accent}" stroke-width="6"`,
    ),
    circle(-270, -60, 240, c.light),
    ring(-270, -60, 190, c.far, 6),
    rect(-100, -96, 150, 70, c.light, 35, 'transform="rotate(-28 -270 -60)"'),
    circle(-270, -60, 152, "#fff"),
    circle(-270, -60, 130, "#4a2a1a"),
    path("M-350 -96 C-300 -160 -230 -150 -190 -110 C-240 -120 -300 -110 -350 -96 Z", c.far, 'opacity="0.75"'),
    moved(30, 150, 18, 1, ellipse(0, -150, 36, 52, "#b9bdb9"), rect(-8, -110, 16, 270, "#b9bdb9", 8)),
    moved(
      300,
      -80,
      -24,
      1,
      ellipse(10, 16, 220, 120, c.ink, 'opacity="0.2"'),
      ellipse(0, 0, 220, 120, "#b97a3e"),
      path("M-160 24 C-80 -50 50 -66 170 -36 C80 -8 -40 6 -160 24 Z", c.light),
    ),
    rect(210, 150, 170, 130, c.accent, 12),
    rect(210, 150, 170, 34, c.light, 12, 'opacity="0.5"'),
    circle(480, 210, 66, c.light),
    circle(480, 210, 50, "#e5c275"),
  );
}

/** Three berths, a ladder, and the country going by. */
export function berths(scene: Scene): string {
  const { width, height, colours: c, between } = scene;
  const frame = rect(width * 0.6, 130, 520, 560, c.ink, 50);
  const night = [
    rect(width * 0.6 + 26, 156, 468, 508, c.far, 34),
    moon(width * 0.6 + between(300, 400), 290, 62, between(0.3, 0.42), c.light, c.mid),
    path(`M${width * 0.6} 520 q130 -70 260 -20 t300 -10 V700 H${width * 0.6} Z`, c.mid),
    path(`M${width * 0.6} 580 q90 40 240 10 t300 -30 V700 H${width * 0.6} Z`, c.near),
    times(7, () => circle(width * 0.6 + between(40, 480), between(180, 460), 3.5, c.light)),
  ];
  const berth = (y: number, blanket: string, asleep: boolean, lamp: boolean) =>
    [
      rect(0, y, width * 0.52, 30, c.ink),
      rect(0, y - 46, width * 0.52 - 20, 48, c.light, 10),
      asleep
        ? path(
            `M170 ${y - 40} C200 ${y - 150} 330 ${y - 150} 430 ${y - 118} C560 ${y - 90} 700 ${y - 84} 780 ${y - 40} Z`,
            blanket,
          )
        : rect(250, y - 66, 520, 30, blanket, 12),
      rect(36, y - 84, 150, 60, "#fff", 26),
      asleep ? circle(150, y - 96, 42, c.ink) : "",
      lamp
        ? polygon(
            [
              [26, y - 190],
              [86, y - 190],
              [200, y - 40],
              [10, y - 40],
            ],
            "#e5c275",
            'opacity="0.55"',
          ) + rect(22, y - 216, 70, 32, "#f3e6cb", 8)
        : rect(22, y - 216, 70, 32, c.near, 8),
    ].join("");
  return [
    rect(0, 0, width * 0.55, height, c.mid),
    frame,
    clipped("pane", rect(width * 0.6 + 26, 156, 468, 508, "#000", 34), night.join("")),
    rect(width * 0.6 + 250, 156, 20, 508, c.ink),
    rect(width * 0.6, 720, 520, 26, c.near, 8),
    berth(330, c.accent, true, true),
    berth(640, c.near, true, false),
    berth(950, c.far, false, false),
    rect(width * 0.5, 120, 16, height, c.ink),
    rect(width * 0.5 + 110, 120, 16, height, c.ink),
    times(7, (rung) => rect(width * 0.5, 210 + rung * 124, 120, 16, c.ink)),
  ].join("");
}

/** Vaults, one behind the other, with a small light at the end. */
export function arches(scene: Scene): string {
  const { width, height, colours: c, between } = scene;
  const x = width * between(0.48, 0.52);
  const tones = [c.near, c.mid, c.far, c.mid, c.near, c.light];
  const vaults = tones.map((tone, index) => {
    const w = 690 - index * 116;
    const floor = height - 40 - index * 46;
    const top = 100 + index * 92;
    const shape = (half: number, roof: number) =>
      `M${x - half} ${floor} V${roof + half * 0.6} A${half} ${half * 0.6} 0 0 1 ${x + half} ${roof + half * 0.6} V${floor} Z`;
    return path(shape(w, top), tone);
  });
  const singer = (px: number, size: number, fill: string) =>
    moved(
      px,
      height - 70,
      0,
      size,
      path("M-46 0 C-46 -130 -30 -170 0 -170 C30 -170 46 -130 46 0 Z", fill),
      circle(0, -214, 37, fill),
    );
  return [
    vaults.join(""),
    rect(x - 78, height - 356, 156, 60, c.near, 22),
    rect(x - 50, height - 396, 100, 60, c.near, 22),
    circle(x - 50, height - 322, 15, "#fff"),
    circle(x + 50, height - 322, 15, "#fff"),
    [-520, -410, -310, -205, 210, 305, 415, 520]
      .map((offset, index) => singer(x + offset, 0.8 + (index % 3) * 0.16, index === 5 ? c.accent : c.ink))
      .join(""),
  ].join("");
}

/** Big buttons, a needle, and its thread through everything. */
export function buttons(scene: Scene): string {
  const { width, height, colours: c, between, whole } = scene;
  const button = (x: number, y: number, r: number, fill: string, rim: string, holes: number) =>
    moved(
      x,
      y,
      between(0, 90),
      1,
      circle(12, 18, r, c.ink, 'opacity="0.22"'),
      circle(0, 0, r, fill),
      ring(0, 0, r * 0.76, rim, r * 0.05),
      times(holes, (index) => {
        const a = (index / holes) * 2 * Math.PI;
        return circle(Math.cos(a) * r * 0.27, Math.sin(a) * r * 0.27, r * 0.105, c.ink);
      }),
    );
  const spots = [
    [0.13, 0.25, 168],
    [0.4, 0.17, 112],
    [0.62, 0.36, 196],
    [0.9, 0.2, 146],
    [0.29, 0.62, 142],
    [0.11, 0.84, 120],
    [0.5, 0.86, 160],
    [0.77, 0.76, 124],
    [0.95, 0.62, 92],
    [0.42, 0.43, 62],
    [0.27, 0.93, 70],
    [0.8, 0.47, 54],
  ] as const;
  const red = whole(2, 6);
  const fills = [
    [c.near, c.far],
    [c.light, c.mid],
    [c.mid, c.light],
    [c.far, c.near],
  ] as const;
  return [
    spots
      .map(([x, y, r], index) => {
        const [fill, rim] = index === red ? ([c.accent, c.light] as const) : nth(fills, index % 4);
        return button(width * x, height * y, r, fill, rim, index % 3 === 1 ? 2 : 4);
      })
      .join(""),
    stroke(
      `M-20 ${height * 0.5} C300 ${height * 0.3} 480 ${height * 0.78} 760 ${height * 0.62} S1100 ${height * 0.46} 1190 ${height * 0.56}`,
      c.accent,
      8,
    ),
    moved(
      1196,
      height * 0.56,
      24,
      1,
      polygon(
        [
          [-14, -11],
          [300, -2],
          [300, 2],
          [-14, 11],
        ],
        c.ink,
      ),
      ellipse(12, 0, 18, 5, c.ground),
    ),
  ].join("");
}

/** Columns of coins and one envelope that nobody touches. */
export function coins(scene: Scene): string {
  const { width, height, colours: c, whole } = scene;
  const floor = height * 0.86;
  const metals = ["#e5c275", "#cc9733", "#b9bdb9"];
  const column = (x: number, count: number, metal: string) =>
    times(count, (index) => {
      const y = floor - 26 - index * 41;
      return (
        path(
          `M${x - 96} ${y - 17} v24 a96 27 0 0 0 192 0 v-24 Z`,
          metal === "#e5c275" ? "#b98a2f" : metal === "#cc9733" ? "#96681b" : "#8a908c",
        ) +
        ellipse(x, y - 17, 96, 27, metal) +
        ellipse(x, y - 17, 66, 17, "none", 'stroke="#000" stroke-opacity="0.16" stroke-width="5"')
      );
    });
  return [
    rect(0, floor, width, height, c.near),
    moved(
      width * 0.72,
      floor - 250,
      -7,
      1,
      rect(-330, -230, 660, 440, c.ink, 8, 'opacity="0.2" transform="translate(18 22)"'),
      rect(-330, -230, 660, 440, "#c49a6c", 8),
      polygon(
        [
          [-330, -230],
          [330, -230],
          [0, 40],
        ],
        "#a97f52",
      ),
      stroke("M-330 210 L-70 -20 M330 210 L70 -20", "#a97f52", 6),
      circle(0, 20, 52, c.accent),
    ),
    column(width * 0.12, whole(4, 7), nth(metals, 0)),
    column(width * 0.28, whole(9, 13), nth(metals, 1)),
    column(width * 0.44, whole(6, 8), nth(metals, 0)),
    column(width * 0.92, whole(2, 3), nth(metals, 2)),
    moved(
      width * 0.58,
      floor + 54,
      0,
      1,
      ellipse(0, 0, 110, 30, "#96681b"),
      ellipse(0, -10, 110, 30, "#e5c275"),
    ),
    moved(
      width * 0.2,
      floor + 84,
      0,
      1,
      ellipse(0, 0, 110, 30, "#8a908c"),
      ellipse(0, -10, 110, 30, "#b9bdb9"),
    ),
  ].join("");
}

/** Letters from far away. */
export function letters(scene: Scene): string {
  const { width, height, colours: c, between } = scene;
  const envelope = (x: number, y: number, turn: number, paper: string, edged: boolean, stamp: string) =>
    moved(
      x,
      y,
      turn,
      1,
      rect(-350, -220, 700, 440, c.ink, 10, 'opacity="0.18" transform="translate(16 22)"'),
      rect(-350, -220, 700, 440, paper, 10),
      edged
        ? times(
            19,
            (index) =>
              polygon(
                [
                  [-340 + index * 36, -220],
                  [-322 + index * 36, -220],
                  [-334 + index * 36, -196],
                  [-352 + index * 36, -196],
                ],
                index % 2 ? c.accent : "#28505a",
              ) +
              polygon(
                [
                  [-340 + index * 36, 196],
                  [-322 + index * 36, 196],
                  [-334 + index * 36, 220],
                  [-352 + index * 36, 220],
                ],
                index % 2 ? c.accent : "#28505a",
              ),
          )
        : "",
      rect(176, -170, 124, 148, stamp, 2, `stroke="${c.light}" stroke-width="10" stroke-dasharray="10 8"`),
      circle(238, -88, 30, c.light),
      stroke("M172 -62 q30 -40 62 -4 t64 -10", c.ink, 5),
      [0, 1, 2, 3]
        .map((row) =>
          stroke(`M20 ${-150 + row * 26} q22 -16 44 0 t44 0 t44 0 t44 0`, c.ink, 4, 'opacity="0.6"'),
        )
        .join(""),
      ring(110, -110, 62, c.ink, 4, 'opacity="0.6"'),
      [240, 320, 190]
        .map((long, row) => stroke(`M-270 ${10 + row * 56} h${long}`, c.ink, 7, 'opacity="0.75"'))
        .join(""),
    );
  return [
    envelope(width * 0.28, height * 0.24, between(-17, -8), c.far, false, c.near),
    envelope(width * 0.84, height * 0.36, between(9, 17), c.mid, false, "#e5c275"),
    envelope(width * 0.2, height * 0.86, between(6, 12), c.light, false, c.mid),
    envelope(width * 0.58, height * 0.64, between(-9, -3), c.light, true, c.accent),
  ].join("");
}
