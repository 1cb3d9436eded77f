import { z } from "zod";
import { Slug } from "./blogs.ts";
import { embeddable } from "./document/embeds.ts";
import { documentLimits } from "./document/limits.ts";
import { maxLinkedCards } from "./linked-blogs.ts";

export const LookUpEmbed = z.strictObject({
  href: z
    .string()
    .max(documentLimits.address, "That address is too long.")
    .refine((href) => embeddable(href) !== null, "There’s no card for that address."),
});

export const LinkedSlugs = z.strictObject({ slugs: z.array(Slug.shape.slug).max(maxLinkedCards) });
