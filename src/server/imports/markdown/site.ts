import { isRow, parsedJson } from "../reading/values.ts";
import type { Files } from "../source.ts";
import { fieldsOfToml, fieldsOfYaml } from "./fenced-front-matter.ts";
import { hiddenReason, type Fields } from "./visibility.ts";
import { textField } from "./former-paths.ts";

/* A site's settings. */

export interface Site {
  /** The site's own origins. */
  origins: string[];
  /** The path of all pages, as `/blog`, or empty. */
  base: string;
  isHugo: boolean;
  /** Permalink patterns by folder (Hugo), or for all posts under `""` (Jekyll). */
  permalinks: Map<string, string>;
  /** Folders that Jekyll's settings hide, and why. */
  hidden: Map<string, string>;
}

const ofHugo = ["", "config/_default/"].flatMap((folder) =>
  ["hugo", "config"].flatMap((name) =>
    ["toml", "yaml", "yml", "json"].map((end) => `${folder}${name}.${end}`),
  ),
);
const others = ["_config.yml", ...["mjs", "ts", "js"].map((end) => `astro.config.${end}`)];

/** Reads a site's settings; ignores unreadable ones. */
export async function siteOf(files: Files, top: string): Promise<Site> {
  const site: Site = {
    origins: [],
    base: "",
    isHugo: (await files.list()).some(({ name }) => name.startsWith(`${top}archetypes/`)),
    permalinks: new Map(),
    hidden: new Map(),
  };
  for (const name of [...ofHugo, ...others]) {
    const text = (await files.read(`${top}${name}`, 1_000_000).catch(() => undefined))?.toString("utf8");
    if (text === undefined) continue;
    const line = /^[ \t]*["']?(?:baseURL|base_url|url|site)["']?[ \t]*[:=]\s*["']?(https?:\/\/[^"'\s,]+)/im;
    const [, address = ""] = line.exec(text) ?? [];
    const url = URL.parse(address);
    if (url && !site.origins.includes(url.origin)) site.origins.push(url.origin);
    const fields = settingsIn(name, text);
    const below =
      textField(fields, "baseurl") ?? /^[ \t]*base[ \t]*:\s*["']([^"'\n]*)["']/m.exec(text)?.[1] ?? "";
    site.base ||= (below.startsWith("/") ? below : (url?.pathname ?? "")).replace(/\/+$/, "");
    if (name === "_config.yml") readJekyll(site, top, fields);
    else if (ofHugo.includes(name)) readHugo(site, name, fields);
  }
  return site;
}

function settingsIn(name: string, text: string): Fields {
  try {
    if (name.endsWith(".toml")) return fieldsOfToml(text);
    if (/\.ya?ml$/.test(name)) return fieldsOfYaml(text) ?? {};
    const value = name.endsWith(".json") ? parsedJson(text) : undefined;
    return isRow(value) ? value : {};
  } catch {
    return {};
  }
}

function readHugo(site: Site, name: string, fields: Fields): void {
  const zola = "base_url" in fields;
  site.isHugo ||= !zola || name.includes("hugo");
  const { permalinks } = fields;
  for (const [section, value] of Object.entries(isRow(permalinks) ? permalinks : {}))
    if (typeof value === "string") site.permalinks.set(section, value);
    else if (section === "page" && isRow(value))
      for (const [inner, one] of Object.entries(value))
        if (typeof one === "string") site.permalinks.set(inner, one);
}

function readJekyll(site: Site, top: string, fields: Fields): void {
  if (typeof fields.permalink === "string") site.permalinks.set("", fields.permalink);
  for (const one of Array.isArray(fields.defaults) ? (fields.defaults as unknown[]) : []) {
    const { scope, values }: Fields = isRow(one) ? one : {};
    if (!isRow(values)) continue;
    const scoped = isRow(scope) && typeof scope.path === "string" ? scope.path.replace(/^\/|\/+$/g, "") : "";
    const why = hiddenReason(values, new Date());
    // Cut at the wildcard: may hide too much, never too little.
    const [folder = ""] = scoped.split(/\/?[^/]*\*/, 1);
    const at = `${top}${folder}`.replace(/\/$/, "") || ".";
    if (why !== null)
      site.hidden.set(/\.\w+$/.test(at) ? at.replace(/\.\w+$/, ".*") : at, `_config.yml contains ${why}`);
    else if (scoped === "" && typeof values.permalink === "string") site.permalinks.set("", values.permalink);
  }
}
