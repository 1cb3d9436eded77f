import { z } from "zod";
import { limits } from "./limits.ts";
import { isSeen } from "./plain-text.ts";
import { staffLimits } from "./staff-limits.ts";
import { Id, line } from "./users.ts";

/** The tag of a language as browsers write it, `pt-BR`. */
const Language = z
  .string()
  .trim()
  .max(35)
  .transform((value, context) => {
    if (value === "") return value;
    try {
      const [tag = ""] = Intl.getCanonicalLocales(value);
      if (tag !== "") return tag;
    } catch {
      // Said below.
    }
    context.addIssue({ code: "custom", message: "Write a language like en, de or pt-BR." });
    return z.NEVER;
  });

const Color = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^(#[0-9a-f]{6})?$/, "Write a color like #c8401f.");

/** Whoever found a hole writes there: an address of mail or of a page. */
const SecurityContact = z
  .string()
  .trim()
  .max(254, "That address is too long.")
  .refine(
    (value) =>
      value === "" ||
      z.email().safeParse(value).success ||
      (/^https:\/\/[^\s]+$/.test(value) && URL.canParse(value)),
    "Enter an email address, or the address of a page that starts with https://.",
  );

/** A number as it is typed; 0 lets nothing pass. */
const Bound = z
  .string()
  .trim()
  .regex(/^\d{0,9}$/, "Enter a whole number, or leave it empty for the default.")
  .transform((digits) => digits.replace(/^0+(?=\d)/, ""));

/** `diskLowGb`: with less of the disk left administrators are warned; what is usual depends on the disk. */
export type BoundName = keyof typeof staffLimits.bounds | "diskLowGb";
export const boundNames = [...Object.keys(staffLimits.bounds), "diskLowGb"] as BoundName[];
const bounds = Object.fromEntries(boundNames.map((name) => [name, Bound])) as Record<BoundName, typeof Bound>;

/** What administrators set; what is empty is as the site comes. */
export const SiteChange = z
  .strictObject({
    name: line(limits.site.name, "The name").refine(
      (name) => name === "" || isSeen(name),
      "Please enter a name.",
    ),
    description: line(limits.site.description, "The description"),
    /** A picture that the administrator uploaded. */
    picture: z.union([z.literal(""), Id]),
    accent: Color,
    language: Language,
    securityContact: SecurityContact,
    /** Who can publish: everybody, or approved writers. */
    writers: z.enum(["", "approved"]),
    ...bounds,
    /** Whether an account's first comment with a link goes out at once, or waits to be let in. */
    firstLinks: z.enum(["", "held"]),
    /** Whether browsers work before a sign-up, and programs sign up without; nobody works; or browsers alone sign up. */
    signUpWork: z.enum(["", "off", "only"]),
  })
  .partial();
export type SiteChange = z.output<typeof SiteChange>;

/** The settings as they stand, for administrators. */
export interface SiteSettings extends Record<BoundName, string> {
  texts: Record<TextKind, StoredText>;
  name: string;
  /** The name that the site has where none is set. */
  givenName: string;
  description: string;
  picture: { id: string; src: string } | null;
  accent: string;
  language: string;
  securityContact: string;
  writers: "" | "approved";
  firstLinks: "" | "held";
  signUpWork: "" | "off" | "only";
}

/** What the site says at length: by Markdown, its style sheet by CSS. */
export const textKinds = ["terms", "privacy", "landing", "sheet"] as const;
export type TextKind = (typeof textKinds)[number];

export const TextAsked = z.strictObject({
  kind: z.enum(["terms", "privacy", "landing"]),
  version: z.number().int().min(1).max(1_000_000).optional(),
});
export const SetText = z.strictObject({
  kind: z.enum(textKinds),
  source: z
    .string()
    .max(
      limits.site.text,
      `This is too long. Use at most ${limits.site.text.toLocaleString("en")} characters.`,
    )
    .transform((value) => value.toWellFormed().replaceAll("\0", "").trim()),
});

/** One of them as administrators wrote it, and since when it is so. */
export interface StoredText {
  source: string;
  at: string | null;
}

/** One of them as people read it. */
export interface SiteText {
  html: string;
  version: number;
  at: string;
  isNewest: boolean;
  versions: { version: number; at: string }[];
}
