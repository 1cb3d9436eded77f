/* Permalink patterns of Jekyll and Hugo. */

/** Jekyll's named patterns. */
const styles: Record<string, string> = {
  date: "/:categories/:year/:month/:day/:title.html",
  pretty: "/:categories/:year/:month/:day/:title/",
  ordinal: "/:categories/:year/:y_day/:title.html",
  none: "/:categories/:title.html",
};

export interface PatternParts {
  /** As `2020-01-02`. */
  day: string | null;
  /** The file's name without its date. */
  name: string;
  /** The file's name with its date. */
  whole: string;
  slug: string | null;
  title: string;
  categories: string[];
  folders: string[];
}

/** Converts text to a slug as generators do. */
export const slugify = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s+/g, "-");

/** Returns null when a value is unknown. */
export function expandPermalink(pattern: string, parts: PatternParts, isHugo: boolean): string | null {
  const [year, month, day] = parts.day?.split("-") ?? [];
  const dayOfYear =
    parts.day === null
      ? undefined
      : String((Date.parse(parts.day) - Date.UTC(Number(year), 0, 0)) / 86_400_000);
  const { name, whole, slug, title, categories, folders } = parts;
  const values: Record<string, string | undefined> = {
    year,
    month,
    day,
    i_month: month && String(Number(month)),
    i_day: day && String(Number(day)),
    short_year: year?.slice(2),
    y_day: dayOfYear?.padStart(3, "0"),
    yearday: dayOfYear,
    title: isHugo ? slugify(title) : (slug ?? name),
    slug: slug ?? slugify(isHugo ? title : name),
    slugorfilename: slug ?? slugify(whole),
    slugorcontentbasename: slug ?? slugify(whole),
    filename: slugify(whole),
    contentbasename: slugify(whole),
    name: whole,
    categories: categories.map((category) => category.toLowerCase().replace(/\s+/g, "-")).join("/"),
    section: folders[0] ?? "",
    sections: folders.join("/"),
    output_ext: ".html",
  };
  let isComplete = true;
  const expanded = (styles[pattern] ?? pattern).replace(/:([a-z_]+)/gi, (_, variable: string) => {
    const value = values[variable];
    isComplete &&= value !== undefined;
    return value ?? "";
  });
  return isComplete ? expanded.replace(/\/{2,}/g, "/") : null;
}
