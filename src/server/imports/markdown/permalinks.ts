/* Addresses as Jekyll and Hugo make them of a pattern. */

/** Jekyll's patterns that have a name. */
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
  /** And with it. */
  whole: string;
  slug: string | null;
  title: string;
  categories: string[];
  folders: string[];
}

/** As generators make a part of an address of words. */
export const slugged = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s+/g, "-");

/** The path that a pattern makes; null where it asks for what is not known. */
export function patterned(pattern: string, parts: PatternParts, isHugo: boolean): string | null {
  const [year, month, day] = parts.day?.split("-") ?? [];
  const inYear =
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
    y_day: inYear?.padStart(3, "0"),
    yearday: inYear,
    title: isHugo ? slugged(title) : (slug ?? name),
    slug: slug ?? slugged(isHugo ? title : name),
    slugorfilename: slug ?? slugged(whole),
    slugorcontentbasename: slug ?? slugged(whole),
    filename: slugged(whole),
    contentbasename: slugged(whole),
    name: whole,
    categories: categories.map((one) => one.toLowerCase().replace(/\s+/g, "-")).join("/"),
    section: folders[0] ?? "",
    sections: folders.join("/"),
    output_ext: ".html",
  };
  let isKnown = true;
  const made = (styles[pattern] ?? pattern).replace(/:([a-z_]+)/gi, (_, variable: string) => {
    const value = values[variable];
    isKnown &&= value !== undefined;
    return value ?? "";
  });
  return isKnown ? made.replace(/\/{2,}/g, "/") : null;
}
