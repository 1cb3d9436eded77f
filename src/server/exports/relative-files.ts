import { isPictureName } from "../../shared/document/picture-names.ts";
import type { NodeJson } from "../../shared/document/schema.ts";
import { escapeHtml } from "../../shared/document/html-tags.ts";
import { routes } from "../../shared/routes.ts";
import { pictureIdOf } from "../media/paths.ts";
import { pictureFile } from "./rows.ts";

/* How the texts of an export name pictures and blogs: by their files. */

/** Returns a file relative to a blog's file. */
export function relativeFile(src: string): string {
  const id = pictureIdOf(src);
  return id === null ? src : `../${pictureFile(id)}`;
}

/** Replaces picture addresses with file names, for `JSON.stringify` and `JSON.parse`. */
export function withFiles(_name: string, value: unknown): unknown {
  const node = value as NodeJson | null;
  if (!node || !isPictureName(node.type) || !node.attrs) return value;
  return { ...node, attrs: { ...node.attrs, src: relativeFile(String(node.attrs.src)) } };
}

/** Points the pictures and links between blogs in published HTML to files. */
export function linkToFiles(
  html: string,
  publicUrl: string,
  namesBySlug: ReadonlyMap<string, string>,
): string {
  const blogPrefix = routes.blog("");
  const origin = escapeHtml(publicUrl);
  return html
    .replace(/ (?:srcset|sizes)="[^"]*"/g, "")
    .replace(/ src="([^"]*)"/g, (_all, src: string) => ` src="${relativeFile(src)}"`)
    .replace(/ href="([^"]*)"/g, (all, href: string) => {
      const local = href.startsWith(`${origin}/`) ? href.slice(origin.length) : href;
      if (!local.startsWith(blogPrefix)) return all;
      const name = namesBySlug.get(local.slice(blogPrefix.length).replace(/[?#].*$/s, ""));
      return ` href="${name === undefined ? origin + local : `${name}.html`}"`;
    });
}
