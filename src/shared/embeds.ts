import { z } from "zod";
import { Slug } from "./blogs.ts";
import { embeddable } from "./document/embeds.ts";
import { documentLimits } from "./document/limits.ts";
import { mostLinked } from "./linked-blogs.ts";

/** An address that a text shows a card of. */
export const LookUpEmbed = z.strictObject({
  href: z
    .string()
    .max(documentLimits.address, "That address is too long.")
    .refine((href) => embeddable(href) !== null, "There’s no card for that address."),
});

/** Blogs of the site that a text leads to, by their addresses. */
export const LinkedSlugs = z.strictObject({ slugs: z.array(Slug.shape.slug).max(mostLinked) });
