import { circle, ellipse, leaf, moon, moved, path, polygon, rect, ring, stroke, times } from "./drawing.ts";

const ink = "#1c1a17";
const vermilion = "#c8401f";
const paper = "#fbfaf6";

/** The drawing for a person's profile picture, on 512 × 512; none for those with initials. */
export function faceOf(username: string): string | undefined {
  return faces[username]?.();
}

const faces: Record<string, () => string> = {
  "ines.quadros": () =>
    [
      ground("#e3c9b4"),
      path(
        "M118 330 C96 180 150 76 260 78 C372 78 420 180 394 334 C384 366 340 372 330 340 H182 C170 372 126 366 118 330 Z",
        "#3b241b",
      ),
      times(
        7,
        (i) =>
          circle(132 + (i % 2) * 8, 180 + i * 26, 34, "#3b241b") +
          circle(384 - (i % 2) * 8, 180 + i * 26, 34, "#3b241b"),
      ),
      shoulders("#5f7a5c"),
      neck("#cf9a76"),
      path("M196 398 Q256 452 316 398 L330 412 Q256 486 182 412 Z", "#4c6349"),
      head("#dcab87"),
      path(
        "M156 236 C150 130 210 104 262 106 C330 106 366 150 356 236 C346 196 318 176 288 170 C268 190 200 186 156 236 Z",
        "#3b241b",
      ),
      eyes("#3b241b"),
      glasses(ink),
      mouth("#9c4a35", 1),
    ].join(""),

  solveig: () =>
    [
      ground("#a9c3c4"),
      circle(256, 92, 52, "#d9b25f"),
      path("M132 350 C112 180 160 92 256 92 C352 92 400 180 380 350 Z", "#d9b25f"),
      shoulders("#41586b"),
      // The round yoke of an Icelandic jumper.
      path("M112 434 C168 508 344 508 400 434 L366 412 C328 448 184 448 146 412 Z", paper),
      times(9, (i) =>
        moved(
          143 + i * 28.25,
          427 + Math.sin((i / 8) * Math.PI) * 41,
          0,
          1,
          polygon(
            [
              [-12, 0],
              [0, -14],
              [12, 0],
              [0, 14],
            ],
            i % 2 ? vermilion : "#28394a",
          ),
        ),
      ),
      stroke("M104 452 C164 530 348 530 408 452", paper, 4, 'stroke-dasharray="1 15"'),
      neck("#e7bfa2"),
      head("#f3d3ba"),
      path(
        "M152 250 C150 140 200 104 256 104 C312 104 362 140 360 250 C350 190 320 150 262 138 C200 146 164 190 152 250 Z",
        "#e6c373",
      ),
      eyes("#3d5564", "#c79a4c"),
      tired("#dcae93"),
      cheeks("#eab79e"),
      mouth("#b0563f", 0.7),
    ].join(""),

  // Igna, who goes through everything.
  malika: () =>
    [
      ground("#c8401f"),
      rect(56, 40, 400, 480, "#26413b", 26),
      rect(84, 68, 344, 480, "#efdcc8", 10),
      rect(248, 68, 16, 460, "#26413b"),
      path(
        "M132 520 C120 400 140 330 176 300 L166 196 C166 186 176 182 184 190 L222 230 C244 224 268 224 290 230 L328 190 C336 182 346 186 346 196 L336 300 C372 330 392 400 380 520 Z",
        ink,
      ),
      polygon(
        [
          [180, 214],
          [208, 242],
          [184, 262],
        ],
        "#a5624c",
      ),
      polygon(
        [
          [332, 214],
          [304, 242],
          [328, 262],
        ],
        "#a5624c",
      ),
      ellipse(216, 300, 25, 28, "#e5c275"),
      ellipse(296, 300, 25, 28, "#e5c275"),
      ellipse(216, 302, 8, 24, ink),
      ellipse(296, 302, 8, 24, ink),
      polygon(
        [
          [244, 338],
          [268, 338],
          [256, 352],
        ],
        "#d98c74",
      ),
      stroke("M256 352 V364 M256 364 q-14 18 -30 6 M256 364 q14 18 30 6", "#d98c74", 5),
      stroke("M190 350 L112 336 M190 362 L116 372 M322 350 L400 336 M322 362 L396 372", paper, 3.5),
      stroke("M184 418 Q256 452 328 418", vermilion, 15),
      circle(256, 456, 36, paper),
      ring(256, 456, 27, "#d9cdb6", 4),
      (
        [
          [-9, -9],
          [9, -9],
          [-9, 9],
          [9, 9],
        ] as const
      )
        .map(([x, y]) => circle(256 + x, 456 + y, 5, ink))
        .join(""),
      rect(0, 492, 512, 40, "#26413b"),
    ].join(""),

  chidinma: () =>
    [
      ground("#e5c275"),
      circle(256, 208, 172, "#1f1613"),
      times(18, (i) =>
        circle(256 + Math.cos((i / 18) * 6.283) * 160, 208 + Math.sin((i / 18) * 6.283) * 160, 34, "#1f1613"),
      ),
      shoulders(vermilion),
      neck("#5a3424"),
      path("M206 412 L256 470 L306 412 L326 424 L256 512 L186 424 Z", "#8f2a12"),
      head("#6f4430"),
      path(
        "M154 236 C150 140 200 104 256 104 C312 104 362 140 358 236 C336 178 292 166 256 166 C220 166 176 178 154 236 Z",
        "#1f1613",
      ),
      eyes("#140d0a", "#140d0a"),
      mouth("#a84a3a", 0.9),
      circle(150, 318, 17, "#d9a441"),
      circle(362, 318, 17, "#d9a441"),
      circle(150, 318, 8, "#6b4a12"),
      circle(362, 318, 8, "#6b4a12"),
    ].join(""),

  nasrin: () =>
    [
      ground("#232b40"),
      (
        [
          [70, 90],
          [120, 190],
          [60, 280],
          [430, 260],
          [396, 60],
          [462, 170],
          [180, 46],
          [326, 40],
        ] as const
      )
        .map(([x, y], i) => circle(x, y, i % 3 ? 3.5 : 5.5, "#ece7dd"))
        .join(""),
      moon(424, 108, 38, 0.18, "#f1e3c8", "#2e3850"),
      path("M108 512 C96 300 120 96 262 92 C404 96 414 300 404 512 Z", "#957282"),
      path("M136 512 C120 300 150 130 262 124 C372 130 390 300 376 512 Z", "#7d5a6b"),
      neck("#c99470"),
      path(
        "M174 198 C196 146 232 132 268 134 C318 138 344 176 350 214 C300 168 232 168 174 198 Z",
        "#2a1d1a",
      ),
      head("#dcab85"),
      path(
        "M154 246 C152 150 206 108 262 108 C322 108 362 154 358 244 C344 194 316 174 288 168 C246 190 190 192 154 246 Z",
        "#2a1d1a",
      ),
      path(
        "M140 300 C126 150 190 92 262 92 C336 94 390 152 372 300 C372 190 340 122 262 120 C186 122 144 190 140 300 Z",
        "#957282",
      ),
      path(
        "M150 210 C150 320 160 390 250 432 C340 400 366 330 362 210 C390 300 396 400 330 452 C280 486 214 486 176 452 C120 396 126 300 150 210 Z",
        "#957282",
      ),
      eyes("#2a1d1a", "#2a1d1a"),
      mouth("#a84a3a", 1),
    ].join(""),

  gethin: () =>
    [
      ground("#9db08c"),
      shoulders("#2d3a4a"),
      neck("#dba888"),
      path("M150 392 Q256 448 362 392 L372 452 Q256 506 140 452 Z", "#2f5d8a"),
      times(5, (i) =>
        polygon(
          [
            [160 + i * 44, 404 + Math.sin(((i + 0.5) / 5) * Math.PI) * 24],
            [182 + i * 44, 406 + Math.sin(((i + 0.5) / 5) * Math.PI) * 24],
            [178 + i * 44, 464 + Math.sin(((i + 0.5) / 5) * Math.PI) * 20],
            [156 + i * 44, 462 + Math.sin(((i + 0.5) / 5) * Math.PI) * 20],
          ],
          paper,
        ),
      ),
      head("#efc4a4"),
      path(
        "M156 268 C158 400 210 424 256 424 C302 424 354 400 356 268 C346 312 326 322 300 318 C276 308 236 308 212 318 C186 322 166 312 156 268 Z",
        "#a9532b",
      ),
      eyes("#2d3a4a", "#8a431f"),
      cheeks("#e39a7c"),
      stroke("M222 346 Q256 376 290 346", "#6d2f16", 9),
      path("M140 206 C138 108 196 74 256 74 C316 74 374 108 372 206 Z", vermilion),
      times(6, (i) => stroke(`M${176 + i * 32} 186 Q${190 + i * 26} 118 ${216 + i * 16} 86`, "#a83217", 6)),
      rect(130, 174, 252, 56, paper, 22),
      times(11, (i) => stroke(`M${148 + i * 21.5} 184 v36`, "#d9cdb6", 5)),
      circle(256, 62, 40, paper),
    ].join(""),

  meenakshi: () =>
    [
      ground("#cc6b4a"),
      circle(344, 148, 66, "#17110f"),
      times(10, (i) =>
        circle(344 + Math.cos(-1.9 + i * 0.33) * 68, 148 + Math.sin(-1.9 + i * 0.33) * 68, 14, paper),
      ),
      path("M140 300 C128 160 180 96 256 96 C336 96 384 160 372 300 Z", "#17110f"),
      shoulders("#2b5a57"),
      path("M84 512 C120 440 200 420 300 404 L352 420 C250 452 190 470 160 512 Z", "#d9a441"),
      path("M108 512 C146 456 214 436 308 418 L320 422 C236 446 180 470 148 512 Z", "#8f2a12"),
      neck("#8a5638"),
      head("#a86f4c"),
      path(
        "M152 262 C148 160 196 108 256 106 C316 108 364 160 360 262 C352 196 316 150 256 128 C196 150 160 196 152 262 Z",
        "#17110f",
      ),
      stroke("M256 104 V130", "#a86f4c", 4),
      circle(256, 202, 10, vermilion),
      eyes("#17110f", "#17110f"),
      mouth("#8a3a2c", 1),
      circle(156, 312, 9, "#d9a441"),
      circle(356, 312, 9, "#d9a441"),
      circle(290, 292, 4.5, "#e5c275"),
    ].join(""),

  annelies: () =>
    [
      ground("#d8e3e1"),
      circle(256, 262, 178, paper),
      ring(256, 262, 186, ink, 25),
      ring(256, 262, 166, "#5d8a90", 10),
      times(28, (i) => {
        const at = (i / 28) * 6.2832;
        const lean = i % 2 ? 1.15 : -1.15;
        return stroke(
          `M${256 + Math.cos(at + lean) * 24} ${262 + Math.sin(at + lean) * 24} L${256 + Math.cos(at) * 162} ${262 + Math.sin(at) * 162}`,
          ink,
          3,
        );
      }),
      circle(256, 262, 30, "#28505a"),
      circle(256, 262, 12, paper),
      moved(
        318,
        176,
        28,
        1,
        ellipse(0, 20, 33, 42, "#b97a3e"),
        path("M-42 2 C-42 -40 42 -40 42 2 C20 14 -20 14 -42 2 Z", "#6e4a22"),
        rect(-5, -52, 10, 24, "#6e4a22", 4),
        stroke("M-14 8 q-8 22 2 36", "#d7a56b", 6),
      ),
      stroke("M256 76 A186 186 0 0 0 108 150", vermilion, 25),
    ].join(""),

  "yuki.h": () =>
    [
      ground("#ece1e0"),
      path("M128 372 C104 190 150 88 256 88 C362 88 408 190 384 372 C350 392 162 392 128 372 Z", "#1a1517"),
      shoulders("#513848"),
      neck("#e6bd9b"),
      head("#f1d0b1"),
      path("M150 264 C144 150 190 102 256 102 C322 102 368 150 362 264 L350 224 H162 Z", "#1a1517"),
      path("M128 372 C110 260 128 170 160 148 C152 230 156 320 176 378 Z", "#1a1517"),
      path("M384 372 C402 260 384 170 352 148 C360 230 356 320 336 378 Z", "#1a1517"),
      eyes("#1a1517", ""),
      mouth("#b0563f", 0.6, 372),
      // The camera before one eye.
      rect(206, 206, 190, 126, "#2b2730", 16),
      rect(206, 226, 190, 46, "#b9bdb9"),
      rect(240, 190, 66, 22, "#b9bdb9", 6),
      circle(350, 198, 13, vermilion),
      circle(306, 276, 54, "#141116"),
      ring(306, 276, 46, "#b9bdb9", 4),
      circle(306, 276, 31, "#3c4a63"),
      circle(306, 276, 14, "#141116"),
      circle(294, 262, 7, paper),
      path("M392 290 C442 300 452 400 424 430 L380 410 C396 380 396 330 392 290 Z", "#e6bd9b"),
      times(3, (i) => rect(368 - i * 3, 266 + i * 26, 52, 23, "#f1d0b1", 11)),
      path("M404 512 C396 460 400 420 408 396 L444 404 C452 440 462 480 466 512 Z", "#513848"),
    ].join(""),

  ciaran: () =>
    [
      ground("#b9a06a"),
      moved(86, 520, -14, 2.6, leaf("#5f7a4a", "#40573a")),
      moved(430, 520, 16, 2.8, leaf("#4c6640", "#6d8a55")),
      moved(30, 470, -34, 1.9, leaf("#6d8a55", "#4c6640")),
      moved(486, 460, 30, 1.9, leaf("#6d8a55", "#4c6640")),
      shoulders("#3f5a3c"),
      neck("#d9a688"),
      path("M190 400 L256 450 L322 400 L338 436 L256 492 L174 436 Z", "#e9dfc8"),
      ellipse(150, 276, 22, 36, "#e0ab8c"),
      ellipse(362, 276, 22, 36, "#e0ab8c"),
      head("#ecc2a3"),
      path(
        "M158 262 C162 380 208 412 256 412 C304 412 350 380 354 262 C344 330 318 344 290 330 C268 322 244 322 222 330 C194 344 168 330 158 262 Z",
        "#cfcac0",
      ),
      eyes("#4a5a4a", "#b5aea0"),
      cheeks("#e09b80"),
      stroke("M226 352 Q256 374 286 352", "#8a5a48", 7),
      path("M136 218 C140 128 210 92 280 98 C352 104 388 160 382 214 C300 186 210 190 136 218 Z", "#5c5345"),
      path(
        "M120 232 C150 188 250 176 330 196 C290 206 230 216 200 236 C170 250 130 250 120 232 Z",
        "#433c31",
      ),
      stroke("M216 112 C206 140 202 170 204 192 M300 104 C318 130 324 160 322 188", "#6f6554", 5),
    ].join(""),

  zsofi: () =>
    [
      ground("#ead9bd"),
      path(
        "M140 330 C120 200 160 120 256 120 C352 120 392 200 372 330 C360 350 152 350 140 330 Z",
        "#5a2f1e",
      ),
      shoulders("#f7f2e6"),
      path("M210 404 V512 H302 V404 Z", "#28505a"),
      path("M172 418 L206 404 L214 512 H190 Z M340 418 L306 404 L298 512 H322 Z", "#28505a"),
      neck("#dfb08f"),
      head("#edc8a9"),
      path(
        "M154 260 C160 200 196 176 256 176 C316 176 352 200 358 260 C348 214 318 196 256 194 C194 196 164 214 154 260 Z",
        "#5a2f1e",
      ),
      eyes("#2a1d1a", "#5a2f1e"),
      stroke("M232 348 H280", "#9c4a35", 8),
      path("M140 214 C138 112 196 78 256 78 C316 78 374 112 372 214 C320 178 192 178 140 214 Z", paper),
      path("M134 218 C190 166 322 166 378 218 L374 240 C320 196 192 196 138 240 Z", vermilion),
      moved(370, 224, 52, 0.7, leaf(vermilion)),
      moved(370, 228, 104, 0.8, leaf(vermilion)),
      circle(372, 226, 15, "#a83217"),
      circle(318, 330, 9, paper),
      circle(334, 316, 6, paper),
      circle(326, 346, 5, paper),
    ].join(""),

  "ngoc.hanh": () =>
    [
      ground("#7fa39a"),
      path("M120 512 C96 260 130 92 256 92 C386 92 416 260 392 512 Z", "#18120f"),
      shoulders("#e5b94e"),
      path("M206 402 L256 436 L306 402 L318 428 L256 462 L194 428 Z", "#c9982c"),
      neck("#ddb08a"),
      head("#eec9a2"),
      path(
        "M150 280 C140 150 190 100 256 100 C330 100 374 150 362 280 C356 220 338 180 296 150 C260 190 190 190 150 280 Z",
        "#18120f",
      ),
      path("M120 512 C110 380 122 270 156 240 C150 340 160 420 176 512 Z", "#18120f"),
      path("M392 512 C402 380 390 270 356 240 C362 340 352 420 336 512 Z", "#18120f"),
      eyes("#18120f", "#18120f"),
      cheeks("#e3a184"),
      stroke("M222 344 Q256 382 290 344 Z", "#9c3a2a", 7),
      path("M222 344 Q256 382 290 344 Z", paper),
      circle(160, 326, 9, vermilion),
      circle(352, 326, 9, vermilion),
    ].join(""),
};

function ground(fill: string): string {
  return rect(0, 0, 512, 512, fill);
}

function shoulders(fill: string): string {
  return path("M56 512 C66 430 150 396 256 396 C362 396 446 430 456 512 Z", fill);
}

function neck(skin: string): string {
  return path("M206 330 H306 V404 C306 440 206 440 206 404 Z", skin);
}

function head(skin: string): string {
  return path(
    "M156 232 C154 150 204 118 256 118 C308 118 358 150 356 232 C354 330 312 396 256 396 C200 396 158 330 156 232 Z",
    skin,
  );
}

/** Eyes and, unless their colour is empty, brows; a nose between them. */
function eyes(colour: string, brow = colour): string {
  const brows = brow && stroke("M192 226 Q212 212 234 222 M278 222 Q300 212 320 226", brow, 8);
  return (
    circle(214, 256, 10.5, colour) +
    circle(298, 256, 10.5, colour) +
    brows +
    stroke("M258 262 Q268 294 248 298", "#000", 6, 'opacity="0.22"')
  );
}

function cheeks(colour: string): string {
  return circle(192, 304, 24, colour, 'opacity="0.6"') + circle(320, 304, 24, colour, 'opacity="0.6"');
}

function tired(colour: string): string {
  return stroke("M200 278 Q214 286 228 278 M284 278 Q298 286 312 278", colour, 5);
}

function mouth(colour: string, smile: number, y = 344): string {
  return stroke(`M${256 - 32 * smile} ${y} Q256 ${y + 30 * smile} ${256 + 32 * smile} ${y}`, colour, 8);
}

function glasses(colour: string): string {
  return (
    ring(213, 257, 37, colour, 7) +
    ring(299, 257, 37, colour, 7) +
    stroke("M250 252 Q256 246 262 252 M176 250 L156 242 M336 250 L356 242", colour, 7)
  );
}
