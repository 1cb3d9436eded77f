import { decodeUri } from "../decode-uri.ts";

/* Addresses of embedded frames, and the pages that they show. */

const embedPatterns: [RegExp, (parts: string[]) => string][] = [
  [
    /^(?:www\.)?youtube(?:-nocookie)?\.com\/embed\/(?!videoseries)([\w-]{6,})/,
    ([id]) => `https://www.youtube.com/watch?v=${id}`,
  ],
  [
    /^(?:www\.)?youtube(?:-nocookie)?\.com\/v\/([\w-]{6,})/,
    ([id]) => `https://www.youtube.com/watch?v=${id}`,
  ],
  [/^player\.vimeo\.com\/video\/(\d+)/, ([id]) => `https://vimeo.com/${id}`],
  [/^(?:www\.)?dailymotion\.com\/embed\/video\/(\w+)/, ([id]) => `https://www.dailymotion.com/video/${id}`],
  [/^(gist\.github\.com\/[\w/-]+?)(?:\.js|\.pibb)/, ([gist]) => `https://${gist}`],
  [
    /^codepen\.io\/([\w-]+)\/embed\/(?:preview\/)?(\w+)/,
    ([who, pen]) => `https://codepen.io/${who}/pen/${pen}`,
  ],
  [/^(open\.spotify\.com)\/embed(?:-podcast)?\/(\w+\/\w+)/, ([host, what]) => `https://${host}/${what}`],
  [/^w\.soundcloud\.com\/player\/?\?(?:.*&)?url=([^&]+)/, ([url]) => decoded(url)],
  [/^platform\.twitter\.com\/embed\/.*[?&]id=(\d+)/, ([id]) => `https://twitter.com/i/web/status/${id}`],
  [
    /^(?:www\.)?instagram\.com\/(p|reel)\/([\w-]+)/,
    ([kind, id]) => `https://www.instagram.com/${kind}/${id}/`,
  ],
  [/^cdn\.embedly\.com\/widgets\/media\.html\?(?:.*&)?url=([^&]+)/, ([url]) => decoded(url)],
  [/^(?:www\.)?facebook\.com\/plugins\/\w+\.php\?(?:.*&)?href=([^&]+)/, ([url]) => decoded(url)],
];

/** Returns the page that a frame shows; null when unknown. */
export function framePage(address: string): string | null {
  const withoutScheme = address.trim().replace(/^(?:https?:)?\/\//i, "");
  for (const [pattern, toPage] of embedPatterns) {
    const match = pattern.exec(withoutScheme);
    const page = match && toPage(match.slice(1));
    if (page && URL.canParse(page)) return page;
  }
  return null;
}

const decoded = (text = ""): string => decodeUri(text) ?? "";
