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
  ridgeLine,
  ring,
  stars,
  stroke,
  times,
  type Scene,
} from "./drawing.ts";

/** Layered hills, a low sun or moon, a few firs on the nearest ridge. */
export function hills(scene: Scene): string {
  const { width, height, colours: c, between, whole } = scene;
  const x = between(0.22, 0.78) * width;
  return [
    circle(x, height * between(0.26, 0.36), between(95, 140), c.accent),
    ridge(scene, height * 0.5, 90, c.far),
    ridge(scene, height * 0.63, 80, c.mid),
    ridge(scene, height * 0.78, 70, c.near),
    times(whole(5, 8), () =>
      fir(between(0.05, 0.95) * width, height * between(0.86, 0.95), between(0.6, 1.15), c.ink),
    ),
    ridge(scene, height * 0.95, 24, c.ink),
  ].join("");
}

function fir(x: number, y: number, scale: number, fill: string): string {
  return moved(
    x,
    y,
    0,
    scale,
    polygon(
      [
        [0, -150],
        [34, -70],
        [16, -74],
        [46, 0],
        [-46, 0],
        [-16, -74],
        [-34, -70],
      ],
      fill,
    ),
    rect(-6, 0, 12, 60, fill),
  );
}

/** A railway line to the horizon, with a signal beside it. */
export function rails(scene: Scene): string {
  const { width, height, colours: c, between, pick } = scene;
  const horizon = height * between(0.36, 0.46);
  const vanish = width * between(0.36, 0.64);
  const foot = (offset: number) => width / 2 + offset + (vanish - width / 2) * 0.2;
  const side = pick([-1, 1]);
  const sleepers = times(17, (index) => {
    const depth = 1 / (1 + index * 0.42);
    const y = horizon + (height + 60 - horizon) * depth;
    const middle = vanish + (foot(0) - vanish) * depth;
    return rect(middle - 430 * depth, y - 17 * depth, 860 * depth, 34 * depth, c.near, 3);
  });
  const rail = (offset: number) =>
    polygon(
      [
        [vanish - 1, horizon],
        [vanish + 1, horizon],
        [foot(offset + 15), height + 60],
        [foot(offset - 15), height + 60],
      ],
      c.light,
    );
  const signal = vanish + side * width * 0.27;
  const posts = times(6, (index) => {
    const depth = 1 / (1 + index * 0.75);
    const x = vanish - side * 900 * depth;
    const [top, base] = [horizon - 330 * depth, horizon + 500 * depth];
    return (
      rect(x - 13 * depth, top, 26 * depth, base - top, c.ink) +
      rect(x - 95 * depth, top + 40 * depth, 190 * depth, 18 * depth, c.ink)
    );
  });
  return [
    circle(
      vanish + pick([-1, 0, 1]) * between(150, 420),
      horizon - pick([14, 30, 190]),
      between(110, 165),
      c.accent,
    ),
    ridge(scene, horizon - 10, pick([30, 90]), c.far),
    rect(0, horizon + 4, width, height, c.mid),
    polygon(
      [
        [vanish - 6, horizon],
        [vanish + 6, horizon],
        [foot(560), height],
        [foot(-560), height],
      ],
      c.far,
    ),
    sleepers,
    rail(-290),
    rail(290),
    posts,
    rect(signal - 6, horizon - 250, 12, 400, c.ink),
    rect(signal - 30, horizon - 330, 60, 130, c.ink, 30),
    circle(signal, horizon - 296, 17, c.light),
    circle(signal, horizon - 236, 17, c.near),
  ].join("");
}

/** A bridge over the sound, and a lit train on it. */
export function bridge(scene: Scene): string {
  const { width, height, colours: c, between } = scene;
  const deck = height * 0.6;
  const pylon = (x: number) =>
    times(9, (cable) =>
      stroke(
        `M${x} ${deck - 400 + cable * 26} L${x - 92 - (8 - cable) * 38} ${deck} M${x} ${deck - 400 + cable * 26} L${x + 92 + (8 - cable) * 38} ${deck}`,
        c.light,
        3,
        'opacity="0.75"',
      ),
    ) +
    polygon(
      [
        [x - 13, deck - 430],
        [x + 13, deck - 430],
        [x + 24, height * 0.86],
        [x - 24, height * 0.86],
      ],
      c.ink,
    );
  const train = between(0.3, 0.42) * width;
  return [
    stars(scene, 60, deck - 60, c.light),
    moon(width * between(0.44, 0.56), height * 0.22, 84, between(0.28, 0.4), c.accent, c.far),
    ridge(scene, deck + 70, 22, c.far),
    rect(0, deck + 96, width, height, c.mid),
    times(16, (index) =>
      rect(between(0, width), deck + 130 + index * 20, between(60, 240), 5, index % 3 ? c.near : c.far, 3),
    ),
    times(4, (index) => rect(index * 460 + 90, deck, 26, 260, c.near)),
    pylon(width * 0.24),
    pylon(width * 0.78),
    rect(0, deck - 6, width, 30, c.ink),
    rect(train, deck - 62, 700, 54, c.ink, 16),
    times(19, (index) =>
      rect(train + 24 + index * 35, deck - 50, 23, 22, index % 7 === 3 ? c.near : "#e5c275", 3),
    ),
    polygon(
      [
        [train, deck - 30],
        [train - 260, deck - 6],
        [train, deck - 10],
      ],
      "#e5c275",
      'opacity="0.5"',
    ),
    rect(train + 24, deck + 120, 640, 8, "#e5c275", 4, 'opacity="0.55"'),
    rect(train + 90, deck + 150, 480, 6, "#e5c275", 3, 'opacity="0.35"'),
  ].join("");
}

/** A pitch seen from above, with a pond in one corner and somebody living on it. */
export function pitch(scene: Scene): string {
  const { width, height, colours: c, between, whole } = scene;
  const line = (d: string) => stroke(d, c.light, 9);
  const players = (count: number, fill: string) =>
    times(count, () =>
      circle(
        between(-560, 560),
        between(-330, 330),
        21,
        fill,
        `stroke="${c.ink}" stroke-opacity="0.25" stroke-width="5"`,
      ),
    );
  return moved(
    width / 2,
    height / 2,
    between(-12, 12),
    1.02,
    rect(-1200, -1000, 2400, 2000, c.mid),
    times(13, (index) => rect(-1170 + index * 180, -1000, 90, 2000, c.near, 0, 'opacity="0.18"')),
    line(
      "M-640 -400 H640 V400 H-640 Z M0 -400 V400 M-640 -190 H-440 V190 H-640 M640 -190 H440 V190 H640 M-640 -90 H-560 V90 H-640 M640 -90 H560 V90 H640",
    ),
    ring(0, 0, 130, c.light, 9),
    circle(0, 0, 13, c.light),
    path(
      "M260 -450 C400 -530 730 -490 712 -320 C700 -150 590 -150 500 -190 C410 -230 400 -280 320 -300 C220 -330 190 -410 260 -450 Z",
      "#a5c0c1",
    ),
    stroke("M300 -390 q60 -26 120 0 M560 -230 q50 -22 100 0", c.light, 6),
    moved(
      520,
      -330,
      -24,
      2,
      ellipse(0, 6, 46, 26, "#5d8a90"),
      ellipse(0, 0, 40, 24, "#6e3b2c"),
      path("M-36 -4 q-18 -10 -22 -2 q8 12 24 10 Z", "#6e3b2c"),
      circle(30, -14, 17, "#475a42"),
      polygon(
        [
          [44, -18],
          [66, -12],
          [44, -7],
        ],
        "#e5a52f",
      ),
      circle(35, -18, 3, c.light),
    ),
    players(whole(5, 7), c.accent),
    players(whole(4, 6), c.light),
    circle(between(-300, 300), between(-200, 200), 13, "#fff", `stroke="${c.ink}" stroke-width="5"`),
  );
}

/** An allotment from above: beds with their rows, paths, a shed, a water butt. */
export function beds(scene: Scene): string {
  const { width, height, colours: c, between, pick, whole } = scene;
  const bed = (x: number, y: number, w: number, h: number) => {
    const soil = pick([c.near, c.near, c.mid]);
    const crop = pick([c.light, c.far, c.accent, c.far]);
    const kind = whole(0, 2);
    const rows = Math.round(h / 52);
    const grown = times(rows, (row) => {
      const line = y + (h / rows) * (row + 0.5);
      if (kind === 0) return stroke(`M${x + 26} ${line} H${x + w - 26}`, crop, 11, 'stroke-dasharray="1 27"');
      if (kind === 1) return stroke(`M${x + 26} ${line} H${x + w - 26}`, crop, 20, 'stroke-dasharray="1 46"');
      return stroke(
        `M${x + 24} ${line} ` + times(Math.floor((w - 48) / 40), () => "q10 -16 20 0 t20 0"),
        crop,
        6,
      );
    });
    return rect(x, y, w, h, soil, 10) + grown;
  };
  const cuts = [0, 0.27 + between(-0.03, 0.03), 0.52 + between(-0.04, 0.04), 0.76 + between(-0.03, 0.03), 1];
  const [wide, high] = [1760, 1240];
  const plots = times(4, (column) => {
    const x = -wide / 2 + wide * nth(cuts, column);
    const w = wide * (nth(cuts, column + 1) - nth(cuts, column)) - 54;
    const split = high * between(0.35, 0.65);
    return bed(x, -high / 2, w, split - 27) + bed(x, -high / 2 + split + 27, w, high - split - 27);
  });
  const shed = moved(
    between(-380, 380),
    between(-160, 60),
    90 * whole(0, 3),
    1,
    rect(-120, -150, 240, 300, c.ink, 4, 'opacity="0.25" transform="translate(18 18)"'),
    rect(-120, -150, 240, 300, c.accent, 4),
    times(7, (index) => rect(-120, -150 + index * 44, 240, 5, c.ink, 0, 'opacity="0.28"')),
    rect(-5, -150, 10, 300, c.ink, 0, 'opacity="0.5"'),
    circle(190, 90, 52, c.ink),
    circle(190, 90, 40, "#a5c0c1"),
  );
  return moved(width / 2, height / 2, pick([-9, 9, -6]), 1, plots, shed);
}

/** Stems with leaves in pairs; something has been at one of them. */
export function leaves(scene: Scene): string {
  const { width, height, colours: c, between, pick } = scene;
  const eaten = 3;
  return times(7, (index) => {
    const x = (width / 6) * index + between(-30, 30);
    const tones = index % 2 ? [c.near, c.mid] : [c.mid, c.far];
    const fill = index === eaten ? c.accent : nth(tones, 0);
    const lean = between(-7, 7);
    const pairs = times(7, (pair) => {
      const size = 2.05 - pair * 0.17;
      const y = -90 - pair * 150;
      return (
        moved(0, y, 58 - pair * 2, size, leaf(fill, tones[1])) +
        moved(0, y - 55, -58 + pair * 2, size, leaf(fill, tones[1]))
      );
    });
    const holes =
      index === eaten
        ? times(11, () => circle(between(-150, 150), between(-760, -150), between(12, 34), c.ground))
        : "";
    return moved(
      x,
      height + 60,
      lean,
      1,
      stroke("M0 0 V-1100", nth(tones, 1), 8),
      pairs,
      moved(0, -1090, pick([-4, 4]), 0.9, leaf(fill, tones[1])),
      holes,
    );
  });
}

/** Sine waves in four tones, a boat on one of them. */
export function waves(scene: Scene): string {
  const { width, height, colours: c, between, pick } = scene;
  const tones = [c.far, c.mid, c.near, c.ink];
  const side = pick([-1, 1]);
  const boat = moved(
    (0.5 - side * between(0.08, 0.2)) * width,
    height * 0.515,
    between(-9, 9),
    1,
    path("M-125 -20 H125 C110 40 80 58 60 58 H-60 C-90 58 -115 30 -125 -20 Z", c.ink),
    polygon(
      [
        [-6, -330],
        [-6, -40],
        [-120, -40],
      ],
      c.light,
    ),
    polygon(
      [
        [10, -290],
        [10, -40],
        [120, -40],
      ],
      c.accent,
    ),
    rect(-4, -345, 9, 330, c.ink),
  );
  const swell = (row: number) => {
    const y = height * (0.52 + row * 0.14);
    const length = pick([300, 340, 380]) + row * 50;
    let d = `M${-length + between(-160, 0)} ${y} `;
    for (let x = -length; x < width + length; x += length)
      d += `q${length / 4} ${-46 - row * 10} ${length / 2} 0 t${length / 2} 0 `;
    return path(`${d} V${height} H-900 Z`, nth(tones, row));
  };
  return [
    circle((0.5 + side * between(0.2, 0.34)) * width, height * 0.27, 108, c.accent),
    swell(0),
    boat,
    swell(1),
    swell(2),
    swell(3),
  ].join("");
}

/** Telegraph wires and who sits on them. */
export function wires(scene: Scene): string {
  const { width, height, colours: c, between, whole, random } = scene;
  const lines = [0.25, 0.37, 0.49];
  const at = (line: number, x: number) =>
    height * nth(lines, line) + 190 * (1 - ((x - 800) / 800) ** 2) * 0.55;
  const pole = (x: number) =>
    rect(x - 15, height * 0.17, 30, height, c.ink) +
    lines
      .map(
        (level) =>
          rect(x - 100, height * level - 9, 200, 16, c.ink, 4) +
          circle(x - 84, height * level - 16, 11, c.light) +
          circle(x + 84, height * level - 16, 11, c.light),
      )
      .join("");
  const bird = (x: number, y: number, fill: string, facing: number) =>
    `<g transform="translate(${x} ${y}) scale(${facing * 1.35} 1.35)">${path("M-64 44 L-22 -6 C-10 -46 14 -62 34 -58 C52 -56 58 -42 76 -36 L54 -28 C56 2 34 18 6 16 C-16 16 -40 32 -64 44 Z", fill)}${circle(42, -44, 4, c.ground)}</g>`;
  const sitting = times(whole(6, 8), (index) => {
    const line = whole(0, 2);
    const x = 270 + index * 152 + between(-26, 26);
    return bird(x, at(line, x) - 22, index === 3 ? c.accent : c.ink, random() < 0.5 ? -1 : 1);
  });
  return [
    circle(width * between(0.3, 0.7), height * 0.66, 150, c.light, 'opacity="0.75"'),
    ridge(scene, height * 0.76, 40, c.far),
    ridge(scene, height * 0.84, 34, c.mid),
    ridge(scene, height * 0.93, 26, c.near),
    lines
      .map((_, line) =>
        stroke(`M0 ${at(line, 0)} Q800 ${2 * at(line, 800) - at(line, 0)} 1600 ${at(line, 1600)}`, c.ink, 5),
      )
      .join(""),
    pole(150),
    pole(1450),
    sitting,
  ].join("");
}

/** One branch over the water, and a bird that will be gone in a moment. */
export function branch(scene: Scene): string {
  const { width, height, colours: c, between } = scene;
  const twigs = times(9, (index) => {
    const x = -760 + index * 165;
    const up = index % 2 ? 1 : -1;
    return moved(
      x,
      -20 + up * -6,
      up > 0 ? between(12, 46) : between(134, 170),
      between(1.6, 2.3),
      leaf(index % 3 ? c.mid : c.near, c.far),
    );
  });
  const bird = moved(
    between(60, 170),
    -44,
    -8,
    2.05,
    path("M-20 40 C-60 110 -70 150 -74 176 L-44 172 C-30 130 -10 90 12 60 Z", c.near),
    path(
      "M-70 10 C-66 -60 -20 -110 36 -104 C74 -100 88 -66 74 -26 C60 24 20 56 -20 58 C-52 58 -72 44 -70 10 Z",
      c.accent,
    ),
    path("M-66 0 C-64 -64 -18 -112 40 -104 C10 -80 4 -20 -36 40 C-58 38 -68 24 -66 0 Z", c.near),
    polygon(
      [
        [74, -84],
        [190, -58],
        [76, -54],
      ],
      c.ink,
    ),
    circle(50, -72, 9, c.light),
    circle(52, -72, 5, c.ink),
  );
  return [
    circle(width * between(0.14, 0.3), height * 0.26, 120, c.light),
    moved(
      width / 2,
      height * 0.6,
      between(-13, -5),
      1,
      stroke("M-1000 40 C-600 -50 -200 50 300 0 S900 -60 1100 -90", c.ink, 38),
      stroke("M-360 4 C-260 -90 -230 -150 -150 -260 M430 -10 C520 60 590 80 680 170", c.ink, 17),
      twigs,
      bird,
    ),
    times(4, (index) =>
      ellipse(
        width * 0.62,
        height * 0.95,
        90 + index * 105,
        10 + index * 13,
        "none",
        `stroke="${c.far}" stroke-width="6"`,
      ),
    ),
  ].join("");
}

/** Two kites, their tails not yet tangled. */
export function kites(scene: Scene): string {
  const { width, height, colours: c, between } = scene;
  const kite = (x: number, y: number, turn: number, one: string, two: string) =>
    stroke(`M${x} ${y} Q${x + 30} ${height * 0.75} ${width * 0.5} ${height + 20}`, c.ink, 3) +
    moved(
      x,
      y,
      turn,
      1.25,
      polygon(
        [
          [0, -190],
          [125, -30],
          [0, 170],
          [-125, -30],
        ],
        one,
      ),
      polygon(
        [
          [0, -190],
          [125, -30],
          [0, -30],
        ],
        two,
      ),
      polygon(
        [
          [0, -30],
          [0, 170],
          [-125, -30],
        ],
        two,
      ),
      stroke("M0 170 q50 50 0 100 t0 100 t0 100", c.ink, 4),
      [220, 320, 420]
        .map(
          (knot) =>
            polygon(
              [
                [0, knot],
                [-34, knot - 20],
                [-34, knot + 20],
              ],
              one,
            ) +
            polygon(
              [
                [0, knot],
                [34, knot - 20],
                [34, knot + 20],
              ],
              one,
            ),
        )
        .join(""),
    );
  const cloud = (x: number, y: number, size: number) =>
    rect(x, y, 360 * size, 62 * size, c.light, 31 * size) +
    rect(x + 80 * size, y - 46 * size, 190 * size, 80 * size, c.light, 40 * size);
  return [
    cloud(between(60, 180), between(130, 230), 1),
    cloud(between(1050, 1150), between(420, 520), 0.8),
    cloud(between(120, 260), 640, 0.6),
    kite(width * 0.34, height * between(0.34, 0.42), between(-24, -10), c.accent, c.near),
    kite(width * 0.68, height * between(0.26, 0.32), between(12, 28), c.near, c.accent),
    ridge(scene, height * 0.95, 30, c.mid),
  ].join("");
}

/** A ringed planet over roofs, and a ladder that leads nearly there. */
export function planet(scene: Scene): string {
  const { width, height, colours: c, between } = scene;
  const rings = ringOf(420, c.light, 34) + ringOf(350, c.far, 22) + ringOf(486, c.mid, 8);
  const roofs = [
    [0, 0.79, 300],
    [300, 0.86, 240],
    [540, 0.74, 330],
    [870, 0.83, 260],
    [1130, 0.77, 470],
  ] as const;
  return [
    stars(scene, 90, height * 0.8, c.light),
    moved(
      width * between(0.52, 0.6),
      height * 0.37,
      between(-24, -16),
      1,
      `<clipPath id="back"><rect x="-600" y="-600" width="1200" height="600"/></clipPath><g clip-path="url(#back)">${rings}</g>`,
      circle(0, 0, 225, c.accent),
      `<clipPath id="disc"><circle r="225"/></clipPath><g clip-path="url(#disc)">${rect(-300, -120, 600, 40, c.light, 0, 'opacity="0.28"')}${rect(-300, -30, 600, 66, c.ink, 0, 'opacity="0.16"')}${rect(-300, 110, 600, 34, c.light, 0, 'opacity="0.22"')}</g>`,
      `<clipPath id="front"><rect x="-600" y="0" width="1200" height="600"/></clipPath><g clip-path="url(#front)">${rings}</g>`,
    ),
    roofs
      .map(([x, level, wide], index) => rect(x, height * level, wide + 2, height, index % 2 ? c.near : c.ink))
      .join(""),
    times(9, (index) => rect(60 + index * 175, height * 0.92, 34, 46, index % 3 ? c.far : "#e5c275", 3)),
    stroke(
      `M640 ${height * 0.74} L560 ${height * 0.5} M706 ${height * 0.74} L626 ${height * 0.5}`,
      c.ink,
      12,
    ),
    times(5, (rung) =>
      stroke(`M${628 - rung * 16} ${height * 0.7 - rung * 47} H${694 - rung * 16}`, c.ink, 9),
    ),
    moved(1290, height * 0.77, -38, 1, rect(-30, -24, 250, 52, c.mid, 8), rect(205, -32, 22, 68, c.light, 4)),
    stroke(
      `M1330 ${height * 0.73} L1290 ${height * 0.78} M1330 ${height * 0.73} L1376 ${height * 0.78}`,
      c.ink,
      13,
    ),
  ].join("");
}

function ringOf(rx: number, colour: string, thick: number): string {
  return ellipse(0, 0, rx, rx * 0.3, "none", `stroke="${colour}" stroke-width="${thick}"`);
}

/** The Moon's faces in order. */
export function moons(scene: Scene): string {
  const { width, height, colours: c, whole, pick } = scene;
  const kind = pick(["grid", "arc"]);
  if (kind === "grid") {
    const [columns, rows] = [6, 4];
    const shift = whole(0, 5);
    const marked = whole(8, 15);
    return times(columns * rows, (index) => {
      const x = width * (0.5 + ((index % columns) - 2.5) * 0.146);
      const y = height * (0.5 + (Math.floor(index / columns) - 1.5) * 0.222);
      return moon(x, y, 86, ((index + shift + 0.5) % 24) / 24, index === marked ? c.accent : c.light, c.far);
    });
  }
  return (
    stars(scene, 60, height * 0.9, c.light) +
    times(9, (index) => {
      const angle = Math.PI * (1.08 - (index / 8) * 1.16);
      const size = 52 + 92 * Math.sin((index / 8) * Math.PI);
      return moon(
        width / 2 + Math.cos(angle) * 690,
        height * 0.94 - Math.sin(angle) * 610,
        size,
        (index + 0.7) / 9.4,
        index === 4 ? c.accent : c.light,
        c.far,
      );
    }) +
    ridge(scene, height * 0.9, 40, c.near)
  );
}

/** A star map: circles, hours, constellations that nobody has named. */
export function starchart(scene: Scene): string {
  const { width, height, colours: c, between, whole, pick } = scene;
  const wholeSky = pick([true, false]);
  const [x, y] = wholeSky ? [width / 2, height / 2] : [width * pick([0.2, 0.8]), height * 1.02];
  const reach = wholeSky ? 490 : 1300;
  const hours = times(24, (hour) => {
    const a = (hour / 24) * 2 * Math.PI;
    return stroke(
      `M${x + Math.cos(a) * 90} ${y + Math.sin(a) * 90} L${x + Math.cos(a) * reach} ${y + Math.sin(a) * reach}`,
      c.mid,
      hour % 6 ? 2 : 4,
      'opacity="0.7"',
    );
  });
  const circles = times(7, (index) =>
    ring(
      x,
      y,
      90 + ((reach - 90) / 6) * index,
      c.mid,
      index % 3 ? 2.5 : 5,
      index % 3 ? 'stroke-dasharray="2 14" stroke-linecap="round"' : "",
    ),
  );
  const figure = (left: number, top: number, step: number) => {
    const points = Array.from(
      { length: whole(5, 7) },
      (_, index) => [left + index * step + between(-24, 24), top + between(-100, 100)] as const,
    );
    const joined = points.map(([px, py], index) => `${index ? "L" : "M"}${px} ${py}`).join(" ");
    return (
      stroke(joined, c.light, 4, 'opacity="0.55"') +
      points.map(([px, py]) => circle(px, py, pick([8, 10, 13, 18]), c.light)).join("")
    );
  };
  const marked = circle(width * between(0.44, 0.56), height * between(0.34, 0.46), 30, c.accent);
  if (wholeSky) {
    return [
      circle(x, y, reach + 34, c.near),
      circle(x, y, reach, c.far),
      clipped(
        "sky",
        circle(x, y, reach, "#000"),
        moved(
          x,
          y,
          between(-50, 50),
          1,
          ellipse(0, 0, 760, 120, c.mid, 'opacity="0.45"'),
          ellipse(60, 20, 560, 60, c.mid, 'opacity="0.5"'),
        ),
        circles,
        hours,
        stars(scene, 260, height, c.light),
        figure(420, 300, 76),
        figure(760, 640, 78),
        figure(470, 780, 66),
      ),
      ring(x, y, reach + 17, c.light, 3, 'stroke-dasharray="3 22" stroke-linecap="round"'),
      marked,
    ].join("");
  }
  return [
    circles,
    hours,
    stars(scene, 150, height, c.light),
    figure(150, 240, 92),
    figure(900, 230, 96),
    figure(250, 760, 92),
    figure(930, 720, 92),
    marked,
  ].join("");
}

/** Beds of earth: what was thrown away below, what grows out of it above. */
export function layers(scene: Scene): string {
  const { width, height, colours: c, between, pick, whole } = scene;
  const tones = [c.mid, c.near, c.far, c.near, c.mid, c.ink];
  const bands = tones.map((tone, index) => {
    const level = height * (0.4 + index * 0.115);
    const grit = times(whole(16, 26), () => {
      const [gx, gy] = [between(0, width), level + between(36, 105)];
      return pick([
        circle(gx, gy, between(5, 14), pick([c.light, c.far, c.ink]), 'opacity="0.55"'),
        stroke(`M${gx} ${gy} q20 -14 44 ${between(-10, 10)}`, pick([c.light, c.ink]), 6, 'opacity="0.5"'),
      ]);
    });
    return ridge(scene, level, 20, tone) + grit;
  });
  const sprout = (x: number, size: number, fill: string) =>
    moved(
      x,
      height * 0.4,
      between(-6, 6),
      size,
      stroke("M0 30 V-150", c.near, 9),
      moved(0, -60, 52, 1.1, leaf(fill)),
      moved(0, -95, -54, 1.2, leaf(fill)),
      moved(0, -145, 4, 0.9, leaf(fill)),
    );
  return [
    circle(width * between(0.7, 0.84), height * 0.18, 90, c.accent),
    sprout(width * 0.2, 1.2, c.near),
    sprout(width * 0.42, 1.6, c.near),
    sprout(width * 0.6, 1, c.mid),
    bands.join(""),
    stroke(ridgeLine(scene, height * 0.72, 30), c.accent, 7, 'stroke-dasharray="1 34"'),
  ].join("");
}

/** Umbrellas from above, in the rain; one of them is red. */
export function umbrellas(scene: Scene): string {
  const { width, height, colours: c, between, whole } = scene;
  const umbrella = (x: number, y: number, radius: number, fill: string, rib: string) => {
    const edge = Array.from({ length: 8 }, (_, index) => {
      const [px, py] = corner(index, radius);
      const [qx, qy] = [
        Math.cos(((index + 1) / 8) * 2 * Math.PI) * radius * 0.84,
        Math.sin(((index + 1) / 8) * 2 * Math.PI) * radius * 0.84,
      ];
      const [rx, ry] = corner(index + 1, radius);
      return `${index ? "" : `M${px} ${py} `}Q${qx} ${qy} ${rx} ${ry}`;
    }).join(" ");
    return moved(
      x,
      y,
      between(0, 45),
      1,
      path(`${edge} Z`, c.ink, 'opacity="0.2" transform="translate(16 22)"'),
      path(`${edge} Z`, fill),
      times(8, (index) => stroke(`M0 0 L${corner(index, radius).join(" ")}`, rib, 4)),
      circle(0, 0, 11, rib),
    );
  };
  const spots = [
    [0.14, 0.22],
    [0.38, 0.3],
    [0.64, 0.17],
    [0.88, 0.32],
    [0.2, 0.62],
    [0.47, 0.69],
    [0.72, 0.56],
    [0.93, 0.78],
    [0.1, 0.95],
    [0.65, 0.95],
  ] as const;
  const red = whole(4, 6);
  return [
    times(6, (index) =>
      rect(index * 300 - 70, 0, 140, height, c.far, 0, 'transform="skewX(-12)" opacity="0.7"'),
    ),
    spots
      .map(([x, y], index) => {
        const fill = index === red ? c.accent : index % 3 === 0 ? c.far : index % 3 === 1 ? c.ink : c.near;
        return umbrella(
          width * x + between(-24, 24),
          height * y + between(-24, 24),
          between(118, 158),
          fill,
          index % 3 === 0 && index !== red ? c.mid : c.light,
        );
      })
      .join(""),
    times(70, () => {
      const [x, y] = [between(0, width), between(-40, height)];
      return stroke(`M${x} ${y} l-9 40`, c.light, 3, 'opacity="0.8"');
    }),
  ].join("");
}

/** Where a rib of an umbrella of eight ends. */
function corner(index: number, radius: number): readonly [number, number] {
  const a = ((index + 0.5) / 8) * 2 * Math.PI;
  return [Math.cos(a) * radius, Math.sin(a) * radius];
}
