import sharp from "sharp";
import { palettes, rect, sceneOf, svg, type Scene } from "./pictures/drawing.ts";
import { faceOf } from "./pictures/faces.ts";
import * as indoors from "./pictures/indoors.ts";
import * as outdoors from "./pictures/outdoors.ts";
import * as signs from "./pictures/signs.ts";

/** Another number deals the colours and the variants anew; with this one, covers of one motif differ most. */
const edition = 581496;

type PaletteName = keyof typeof palettes;

const day: PaletteName[] = ["paper", "sage", "clay", "sea", "ochre", "plum"];
const dark: PaletteName[] = ["night", "dusk"];

/** What a cover can show, with the palettes that suit it. */
const motifs = {
  arches: [indoors.arches, ["dusk", "clay"]],
  beds: [outdoors.beds, ["sage", "ochre"]],
  berths: [indoors.berths, dark],
  bottles: [indoors.bottles, ["sage", "ochre", "sea"]],
  bowls: [indoors.bowls, ["sage"]],
  brackets: [signs.brackets, ["paper", "sea", "plum", "sage"]],
  branch: [outdoors.branch, ["sea"]],
  bridge: [outdoors.bridge, ["dusk"]],
  buttons: [indoors.buttons, ["paper", "plum"]],
  chess: [indoors.chess, ["ochre", "sea", "clay"]],
  coins: [indoors.coins, ["sage", "sea"]],
  cup: [indoors.cup, ["sea", "plum"]],
  drawers: [indoors.drawers, ["paper", "sage"]],
  hills: [outdoors.hills, ["plum", "sea", "clay"]],
  kites: [outdoors.kites, ["sea", "ochre"]],
  layers: [outdoors.layers, ["ochre", "clay"]],
  leaves: [outdoors.leaves, ["moss", "sage"]],
  lens: [signs.lens, ["clay", "plum", "paper"]],
  letters: [indoors.letters, ["clay", "sea"]],
  loaves: [indoors.loaves, ["ochre", "paper", "clay"]],
  moons: [outdoors.moons, dark],
  panes: [signs.panes, ["plum", "paper", "sea"]],
  pitch: [outdoors.pitch, ["sage"]],
  planet: [outdoors.planet, dark],
  rails: [outdoors.rails, ["plum", "ochre"]],
  shirts: [indoors.shirts, ["sea", "paper"]],
  speech: [signs.speech, day],
  stack: [signs.stack, ["sea", "plum"]],
  starchart: [outdoors.starchart, dark],
  staves: [signs.staves, ["sage", "clay", "plum", "ochre"]],
  tree: [signs.tree, ["sage", "clay", "paper"]],
  umbrellas: [outdoors.umbrellas, ["sea", "plum"]],
  waves: [outdoors.waves, ["sea"]],
  wheel: [signs.wheel, ["ochre", "sea", "sage"]],
  windows: [indoors.windows, dark],
  wires: [outdoors.wires, ["clay", "plum", "ochre"]],
} satisfies Record<string, [(scene: Scene) => string, PaletteName[]]>;

/** The name of a motif that covers can have. */
export type Motif = keyof typeof motifs;

/** A cover of 1600 × 1067 as JPEG; the same motif and seed give the same picture. */
export function cover(motif: Motif, seed: string): Promise<Buffer> {
  const [draw, choice] = motifs[motif];
  const scene = sceneOf(1600, 1067, `${motif}/${seed}/${edition}`, choice);
  const ground = rect(0, 0, scene.width, scene.height, scene.colours.ground);
  return sharp(Buffer.from(svg(scene.width, scene.height, ground, draw(scene))))
    .jpeg({ quality: 90 })
    .toBuffer();
}

/** A profile picture of 512 × 512 as PNG; null for those who keep their initials. */
export async function portrait(username: string): Promise<Buffer | null> {
  const face = faceOf(username);
  if (!face) return null;
  return sharp(Buffer.from(svg(512, 512, face)))
    .png({ compressionLevel: 9 })
    .toBuffer();
}
