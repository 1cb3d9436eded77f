import { z } from "zod";
import { defaultGroups, defaultTopics } from "./default-topics.ts";
import { parseGroups, parseTopics, type InterestGroup } from "./interests.ts";
import { limits } from "./limits.ts";
import { hasVisibleText } from "./plain-text.ts";
import { staffLimits } from "./staff-limits.ts";
import { Id, Interest, line, lines } from "./users.ts";

/** As browsers write it, such as `pt-BR`. */
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
      // Reported below.
    }
    context.addIssue({ code: "custom", message: "Write a language like en, de or pt-BR." });
    return z.NEVER;
  });

const Color = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^(#[0-9a-f]{6})?$/, "Write a color like #c8401f.");

/** Where suspended people can write to, and where to report security holes: an email address or a page's URL. */
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

/** As typed; 0 allows none. */
const Bound = z
  .string()
  .trim()
  .regex(/^\d{0,9}$/, "Enter a whole number, or leave it empty for the default.")
  .transform((digits) => digits.replace(/^0+(?=\d)/, ""));

/** Texts begin so in errors. */
const quoted = (text: string): string => `“${[...text].slice(0, 40).join("")}”`;

function topicsProblem(topics: string[], max: number, noun: string): string | undefined {
  const refused = topics.find((topic) => !Interest.safeParse(topic).success);
  if (refused !== undefined)
    return `${quoted(refused)} can’t be a topic. Use words of at most ${limits.interests.length} characters.`;
  return topics.length > max ? `${noun} ${topics.length} topics, and can have ${max}.` : undefined;
}

function groupsProblem(groups: InterestGroup[]): string | undefined {
  const { max, name: maxName, topics: maxTopics } = staffLimits.groups;
  const names = new Set<string>();
  for (const { name, topics } of groups) {
    if (name === "")
      return `${quoted(topics.join(", "))} has no group. Begin the line with its name and a colon, such as “Gardening: Roses, Compost”.`;
    if ([...name].length > maxName)
      return `${quoted(name)} is too long for a group’s name: at most ${maxName} characters.`;
    if (names.has(name)) return `There are two groups named ${quoted(name)}.`;
    names.add(name);
    if (topics.length === 0)
      return `${quoted(name)} has no topics. Write some after the colon, or remove the line.`;
    const problem = topicsProblem(topics, maxTopics, `${quoted(name)} has`);
    if (problem !== undefined) return problem;
  }
  return groups.length > max ? `There are ${groups.length} groups, and there can be ${max}.` : undefined;
}

/** A text in the form of `usual`, which is stored as empty. `problemOf` and `tidy` get what `parse` reads. */
const listText = <Entry>(
  usual: string,
  parse: (text: string) => Entry[],
  problemOf: (entries: Entry[]) => string | undefined,
  tidy: (entries: Entry[]) => string,
) =>
  lines(20_000, "The list").transform((text, context) => {
    const entries = parse(text);
    const message = problemOf(entries);
    if (message === undefined) return tidy(entries) === usual ? "" : tidy(entries);
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  });

/** Each topic on a line. */
const RecommendedTopics = listText(
  defaultTopics,
  parseTopics,
  (topics) => topicsProblem(topics, staffLimits.topics, "The list has"),
  (topics) => topics.join("\n"),
);
/** Each group on a line: `Garden: Roses, Compost`. */
const InterestGroups = listText(defaultGroups, parseGroups, groupsProblem, (groups) =>
  groups.map(({ name, topics }) => `${name}: ${topics.join(", ")}`).join("\n"),
);

/** `diskLowGb`: below this free space administrators are warned; its default depends on the disk. */
export type BoundName = keyof typeof staffLimits.bounds | "diskLowGb";
export const boundNames = [...Object.keys(staffLimits.bounds), "diskLowGb"] as BoundName[];
const bounds = Object.fromEntries(boundNames.map((name) => [name, Bound])) as Record<BoundName, typeof Bound>;

/** Administrators' settings; empty for the default. */
export const SiteChange = z
  .strictObject({
    name: line(limits.site.name, "The name").refine(
      (name) => name === "" || hasVisibleText(name),
      "Please enter a name.",
    ),
    description: line(limits.site.description, "The description"),
    /** The id of a picture that the administrator uploaded. */
    picture: z.union([z.literal(""), Id]),
    accent: Color,
    language: Language,
    securityContact: SecurityContact,
    recommendedTopics: RecommendedTopics,
    interestGroups: InterestGroups,
    /** Who can publish: everyone, or approved writers. */
    writers: z.enum(["", "approved"]),
    ...bounds,
    /** Whether an account's first comment with a link is published at once or needs approval. */
    firstLinks: z.enum(["", "pending"]),
    /**
     * Proof of work at sign-up: for browsers, not for programs (default); for no one; or for browsers, and programs cannot sign
     * up.
     */
    signUpWork: z.enum(["", "off", "only"]),
  })
  .partial();
export type SiteChange = z.output<typeof SiteChange>;

export interface SiteSettings extends Record<BoundName, string> {
  texts: Record<TextKind, StoredText>;
  name: string;
  /** The name if none is set. */
  givenName: string;
  /** Each topic on a line, and each group; empty for the defaults. */
  recommendedTopics: string;
  interestGroups: string;
  defaults: Record<"recommendedTopics" | "interestGroups", string>;
  description: string;
  picture: { id: string; src: string } | null;
  accent: string;
  language: string;
  securityContact: string;
  writers: "" | "approved";
  firstLinks: "" | "pending";
  signUpWork: "" | "off" | "only";
}

/** The site's texts: Markdown, except the style sheet (CSS). */
export const textKinds = ["terms", "privacy", "landing", "sheet"] as const;
export type TextKind = (typeof textKinds)[number];

export const ReadSiteText = z.strictObject({
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

/** A text as administrators wrote it, and when it last changed. */
export interface StoredText {
  source: string;
  at: string | null;
}

/** A text as people read it. */
export interface SiteText {
  html: string;
  version: number;
  at: string;
  isNewest: boolean;
  versions: { version: number; at: string }[];
}
