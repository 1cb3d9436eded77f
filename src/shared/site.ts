import { z } from "zod";
import { limits } from "./limits.ts";
import { isSeen } from "./plain-text.ts";
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
    context.addIssue({ code: "custom", message: "A language is written as en, de or pt-BR." });
    return z.NEVER;
  });

const Color = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^(#[0-9a-f]{6})?$/, "A colour is written as #c8401f.");

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
  })
  .partial();
export type SiteChange = z.output<typeof SiteChange>;

/** The settings as they stand, for administrators. */
export interface SiteSettings {
  name: string;
  /** The name that the site has where none is set. */
  givenName: string;
  description: string;
  picture: { id: string; src: string } | null;
  accent: string;
  language: string;
}
