import type { MarkSpec } from "prosemirror-model";
import { safeColor } from "./colors.ts";
import { documentLimits as limits } from "./limits.ts";
import { isOwnPath } from "./own-links.ts";
import { cleanLabel, isColor, isLabelOrNull, isLink, isOneOf, safeLink } from "./values.ts";

export const fontFamilies = ["serif", "monospace"] as const;
export const textSizes = ["small", "large", "huge"] as const;

// Quill puts its classes on any element (`<strong class="ql-size-large">`): this rule matches every element and lets other
// rules match it, too.
function classRule(name: string, attr: string, values: readonly string[]) {
  const pattern = new RegExp(`(?:^|\\s)ql-${name}-(${values.join("|")})(?!\\S)`);
  return {
    tag: "*",
    consuming: false,
    priority: 70,
    getAttrs: (dom: HTMLElement) => {
      const value = pattern.exec(dom.getAttribute("class") ?? "")?.[1];
      return value !== undefined && { [attr]: value };
    },
  };
}

const colorAttrs = (value: string | null) => {
  const color = safeColor(value);
  return color !== null && { color };
};

const isNamed =
  (...names: string[]) =>
  (mark: { type: { name: string } }) =>
    names.includes(mark.type.name);

/** The outermost first. */
export const marks = {
  link: {
    inclusive: false,
    attrs: { href: { validate: isLink }, title: { default: null, validate: isLabelOrNull(limits.title) } },
    parseDOM: [
      {
        tag: "a",
        getAttrs: (dom) => {
          const written = dom.getAttribute("href");
          const href = isOwnPath(written) ? written : safeLink(written);
          return (
            href !== null && { href, title: cleanLabel(dom.getAttribute("title"), limits.title) || null }
          );
        },
      },
    ],
    toDOM: (mark) => [
      "a",
      {
        href: mark.attrs.href as string,
        title: mark.attrs.title as string | null,
        rel: "nofollow noopener ugc",
      },
      0,
    ],
  },

  font: {
    attrs: { family: { validate: isOneOf(...fontFamilies) } },
    parseDOM: [classRule("font", "family", fontFamilies)],
    toDOM: (mark) => ["span", { class: `ql-font-${String(mark.attrs.family)}` }, 0],
  },

  size: {
    attrs: { size: { validate: isOneOf(...textSizes) } },
    parseDOM: [
      classRule("size", "size", textSizes),
      { tag: "small", attrs: { size: "small" } },
      { tag: "big", attrs: { size: "large" } },
    ],
    toDOM: (mark) => ["span", { class: `ql-size-${String(mark.attrs.size)}` }, 0],
  },

  color: {
    attrs: { color: { validate: isColor } },
    parseDOM: [
      { style: "color", getAttrs: colorAttrs },
      { tag: "font", getAttrs: (dom) => colorAttrs(dom.getAttribute("color")) },
    ],
    toDOM: (mark) => ["span", { style: `color: ${String(mark.attrs.color)};` }, 0],
  },

  background: {
    attrs: { color: { validate: isColor } },
    parseDOM: [
      { style: "background-color", getAttrs: colorAttrs },
      { style: "background", getAttrs: colorAttrs },
      { tag: "mark", attrs: { color: "#ffff00" } },
    ],
    toDOM: (mark) => ["span", { style: `background-color: ${String(mark.attrs.color)};` }, 0],
  },

  strong: {
    parseDOM: [
      { tag: "strong" },
      // Google Docs wraps everything it copies in a <b> that is not bold.
      {
        tag: "b",
        getAttrs: (dom) =>
          !/font-weight\s*:\s*(?:normal|[1-5]00)/i.test(dom.getAttribute("style") ?? "") && null,
      },
      {
        style: "font-weight",
        clearMark: isNamed("strong"),
        getAttrs: (value) => /^(?:normal|[1-4]00)$/.test(value) && null,
      },
      { style: "font-weight", getAttrs: (value) => /^(?:bold(?:er)?|[6-9]00)$/.test(value) && null },
    ],
    toDOM: () => ["strong", 0],
  },

  em: {
    parseDOM: [
      { tag: "em, i, cite, dfn, var" },
      { style: "font-style", clearMark: isNamed("em"), getAttrs: (value) => value === "normal" && null },
      { style: "font-style=italic" },
    ],
    toDOM: () => ["em", 0],
  },

  underline: {
    parseDOM: [
      { tag: "u, ins" },
      {
        style: "text-decoration",
        consuming: false,
        getAttrs: (value) => /\bunderline\b/.test(value) && null,
      },
      {
        style: "text-decoration-line",
        consuming: false,
        getAttrs: (value) => /\bunderline\b/.test(value) && null,
      },
    ],
    toDOM: () => ["u", 0],
  },

  strike: {
    parseDOM: [
      { tag: "s, del, strike" },
      {
        style: "text-decoration",
        consuming: false,
        getAttrs: (value) => /\bline-through\b/.test(value) && null,
      },
      {
        style: "text-decoration-line",
        consuming: false,
        getAttrs: (value) => /\bline-through\b/.test(value) && null,
      },
    ],
    toDOM: () => ["s", 0],
  },

  sub: {
    excludes: "sub sup",
    parseDOM: [{ tag: "sub" }, { style: "vertical-align=sub" }],
    toDOM: () => ["sub", 0],
  },

  sup: {
    excludes: "sub sup",
    parseDOM: [{ tag: "sup" }, { style: "vertical-align=super" }],
    toDOM: () => ["sup", 0],
  },

  code: {
    parseDOM: [{ tag: "code, kbd, samp, tt" }],
    toDOM: () => ["code", 0],
  },
} satisfies Record<string, MarkSpec>;
