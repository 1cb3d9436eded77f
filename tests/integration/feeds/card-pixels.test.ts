import sharp from "sharp";
import { expect, test } from "vitest";
import { limits } from "../../../src/shared/limits.ts";
import { upload } from "../../support/pictures.ts";
import { sharedSiteWith } from "../../support/site-with.ts";
import { aBlog, startTestSite } from "../../support/test-site.ts";

/* What link preview images look like, by their pixels. */

const [testSite, ana] = await sharedSiteWith("Ana");

/** A rectangle that contains its `left` and `top`, and not its `right` and `bottom`. */
interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}
type Color = [red: number, green: number, blue: number];

const margins = { left: 80, right: 1_120 };
const whole: Area = { left: 0, top: 0, right: 1_200, bottom: 616 };
const header: Area = { ...whole, top: 30, bottom: 150 };
const titleArea: Area = { ...whole, top: 160, bottom: 476 };
const nameArea: Area = { left: 180, top: 476, right: 1_200, bottom: 600 };
const portrait: Area = { left: 80, top: 496, right: 168, bottom: 584 };
const paper: Color = [0xfb, 0xfa, 0xf6];

class Pixels {
  readonly #data: Buffer;
  constructor(data: Buffer) {
    this.#data = data;
  }

  static async of(png: ArrayBuffer): Promise<Pixels> {
    const { data, info } = await sharp(Buffer.from(png))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: 1_200, height: 630, channels: 3 });
    return new Pixels(data);
  }

  at(x: number, y: number): Color {
    const offset = (y * 1_200 + x) * 3;
    return [this.#data[offset]!, this.#data[offset + 1]!, this.#data[offset + 2]!];
  }

  /** Returns the smallest area with all dark pixels of an area; null without any. */
  inkIn(area: Area): Area | null {
    const box = { left: area.right, top: area.bottom, right: area.left, bottom: area.top };
    for (let y = area.top; y < area.bottom; y++)
      for (let x = area.left; x < area.right; x++) {
        if (Math.max(...this.at(x, y)) > 150) continue;
        box.left = Math.min(box.left, x);
        box.top = Math.min(box.top, y);
        box.right = Math.max(box.right, x + 1);
        box.bottom = Math.max(box.bottom, y + 1);
      }
    return box.left < box.right ? box : null;
  }

  differsFrom(other: Pixels, { left, top, right, bottom }: Area): boolean {
    for (let y = top; y < bottom; y++)
      for (let x = left; x < right; x++) if (!isNear(this.at(x, y), other.at(x, y))) return true;
    return false;
  }
}

/** Whether colours are the same but for the palette's rounding. */
const isNear = (one: Color, other: Color): boolean =>
  one.every((value, index) => Math.abs(value - other[index]!) < 24);

/** Returns the pixels of the image in a page's head. */
async function cardOf(page: string, site = testSite): Promise<Pixels> {
  const html = await (await fetch(site.url + page)).text();
  const address = /<meta property="og:image" content="([^"]+)">/.exec(html)?.[1] ?? "";
  const answer = await fetch(site.url + address.slice(site.config.publicUrl.length));
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/png"]);
  return Pixels.of(await answer.arrayBuffer());
}
async function cardOfBlog(title: string, author = ana, site = testSite): Promise<Pixels> {
  const { slug } = await author.api.blogs.create.mutate(aBlog({ title }));
  return cardOf(`/blog/${slug}`, site);
}

const words = "Owls that hunt above the quiet valley at night and rest in old barns by day ".repeat(2);

test.each([
  ["Owls at night", "left"],
  [words.slice(0, limits.title.max - 1) + "x", "left"],
  ["W".repeat(limits.title.max), "left"],
  ["Совы ночью", "left"],
  ["Κουκουβάγιες τη νύχτα", "left"],
  ["البوم في الليل", "right"],
  ["ינשופים בלילה", "right"],
  ["البوم طائر ليلي يعيش في الغابات والحقول القديمة ".repeat(3).slice(0, limits.title.max).trim(), "right"],
  ["C → Rust, H₂O ≠ x⁴ ★", "left"],
  ["M\u{301}".repeat(limits.title.max / 2), "left"],
])("shows the title %s within the margins, aligned to the %s", async (title, side) => {
  const card = await cardOfBlog(title);
  const ink = card.inkIn(titleArea)!;
  expect(ink.left).toBeGreaterThanOrEqual(margins.left);
  expect(ink.right).toBeLessThanOrEqual(margins.right);
  expect(ink.top).toBeGreaterThanOrEqual(168);
  expect(ink.bottom).toBeLessThanOrEqual(464);
  if (side === "left") expect(ink.left).toBeLessThan(margins.left + 12);
  else expect(ink.right).toBeGreaterThan(margins.right - 12);
  for (const margin of [
    { ...whole, right: margins.left - 1 },
    { ...whole, left: margins.right },
    { ...whole, bottom: 60 },
    { ...whole, top: 590 },
  ])
    expect(card.inkIn(margin)).toBeNull();
});

test("aligns the last, shorter line of a right-to-left title to the right", async () => {
  const card = await cardOfBlog("ינשופים בלילה מעל העמק השקט ובאסם הישן");
  const { top, bottom } = card.inkIn(titleArea)!;
  expect(bottom - top).toBeGreaterThan(120);
  const lastLine = card.inkIn({ ...titleArea, top: bottom - 40 })!;
  expect(lastLine.right).toBeGreaterThan(margins.right - 30);
  expect(lastLine.left).toBeGreaterThan(300);
});

test("breaks no word that fits in smaller letters", async () => {
  const ink = (await cardOfBlog("Donaudampfschifffahrtsgesellschaftskapitän")).inkIn(titleArea)!;
  expect(ink.bottom - ink.top).toBeLessThan(80);
});

test("shows initials of the username when the fonts lack the name's letters", async () => {
  const author = await testSite.createAccount("Ben");
  await author.api.users.updateProfile.mutate({ name: "山田太郎" });
  const card = await cardOfBlog("Owls", author);
  expect(card.inkIn(portrait)).not.toBeNull();
  expect(card.inkIn(nameArea)!.left).toBeLessThan(210);
});

test("shows the last letter of the longest title", async () => {
  const [one, other] = ["i", "W"].map((last) => cardOfBlog(words.slice(0, limits.title.max - 1) + last));
  expect((await one!).differsFrom(await other!, titleArea)).toBe(true);
});

test.each(["🦉🦉", "为什么猫头鹰在夜里飞", "นกฮูก"])(
  "shows logo and author without a title, and no boxes, for the title %s",
  async (title) => {
    const card = await cardOfBlog(title);
    expect(card.inkIn(titleArea)).toBeNull();
    // The logo above, and a large one in the middle.
    expect([isNear(card.at(110, 94), paper), isNear(card.at(740, 300), paper)]).toEqual([false, false]);
    const name = card.inkIn(nameArea)!;
    expect([name.left < 210, name.right < 400]).toEqual([true, true]);
  },
);

test.each([
  ["of wide letters", "W".repeat(limits.name.max)],
  ["of accents", "M\u{301}\u{301}\u{301}\u{301}".repeat(16)],
])("shortens the author's name to one line within the margins: %s", async (_what, name) => {
  const author = await testSite.createAccount("Ben");
  await author.api.users.updateProfile.mutate({ name });
  const card = await cardOfBlog("Owls", author);
  const ink = card.inkIn(nameArea)!;
  expect(ink.right).toBeLessThanOrEqual(margins.right);
  expect(ink.bottom - ink.top).toBeLessThanOrEqual(88);
});

test("shows a person's name, username and picture in a circle", async () => {
  const person = await testSite.createAccount("Ben");
  const initials = await cardOf(`/${person.me.username}`);
  expect(initials.inkIn(portrait)).not.toBeNull();
  const picture = await sharp({ create: { width: 300, height: 200, channels: 3, background: "#1040d0" } })
    .png()
    .toBuffer();
  await person.api.users.updateProfile.mutate({ pictureId: (await upload(person, picture)).id });
  const card = await cardOf(`/${person.me.username}`);
  const [blue, { left, right, top, bottom }] = [[0x10, 0x40, 0xd0], portrait] as [Color, Area];
  const [middleX, middleY] = [(left + right) / 2, (top + bottom) / 2];
  expect(isNear(card.at(middleX, middleY), blue)).toBe(true);
  expect(isNear(card.at(left + 4, middleY), blue) && isNear(card.at(middleX, top + 4), blue)).toBe(true);
  expect(isNear(card.at(left + 2, top + 2), paper) && isNear(card.at(right - 3, bottom - 3), paper)).toBe(
    true,
  );
  expect(card.inkIn(titleArea)).not.toBeNull();
  expect(card.inkIn(nameArea)).not.toBeNull();
});

test("shows the site's description at the margin, without an empty circle", async () => {
  const card = await cardOf("/home");
  expect(isNear(card.at(124, 505), paper)).toBe(true);
  expect(card.inkIn({ ...nameArea, left: 0 })!.left).toBeLessThan(margins.left + 12);
});

test("shows the site's name, logo and accent", async () => {
  await using site = await startTestSite();
  const staff = await site.createAccount("Staff");
  const logo = await sharp({ create: { width: 200, height: 200, channels: 3, background: "#7010a0" } })
    .png()
    .toBuffer();
  const { id } = await upload(staff, logo);
  await staff.api.administration.setSite.mutate({ name: "Owls’ Own", accent: "#0a7d4f", picture: id });
  for (const card of [await cardOf("/home", site), await cardOfBlog("Owls", staff, site)]) {
    expect(isNear(card.at(600, 622), [0x0a, 0x7d, 0x4f])).toBe(true);
    expect(isNear(card.at(106, 94), [0x70, 0x10, 0xa0])).toBe(true);
    expect(card.inkIn(titleArea)!.left).toBeLessThan(margins.left + 12);
    // Not our mark.
    expect(isNear(card.at(1_150, 500), paper)).toBe(true);
  }
  expect(isNear((await cardOfBlog("🦉", staff, site)).at(600, 316), [0x70, 0x10, 0xa0])).toBe(true);
  const siteName = (await cardOfBlog("Larks", staff, site)).inkIn({ ...header, left: 140 })!;
  expect([siteName.left < 170, siteName.right < 400]).toEqual([true, true]);
});
