/* A list of posts as Substack exports it; the texts are ours. */

const columns = [
  "post_id",
  "post_date",
  "is_published",
  "email_sent_at",
  "inbox_sent_at",
  "type",
  "audience",
  "title",
  "subtitle",
  "podcast_url",
] as const;

export type Listed = Partial<Record<(typeof columns)[number], string>>;

const cell = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

export const postsCsv = (rows: Listed[]): string =>
  [
    columns.join(","),
    ...rows.map((row) =>
      columns
        .map((column) =>
          cell(
            {
              post_date: "2021-05-06T07:08:09.000Z",
              is_published: "true",
              type: "newsletter",
              audience: "everyone",
              title: `Letter ${row.post_id ?? ""}`,
              ...row,
            }[column] ?? "",
          ),
        )
        .join(","),
    ),
  ].join("\n");

/** Attributes that Substack's own script reads. */
export const attrs = (value: object): string =>
  `data-attrs="${JSON.stringify(value).replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"`;

/** A picture as Substack's editor writes it. */
export const capturedImage = (src: string, caption: string, more: object = {}): string =>
  `<div class="captioned-image-container"><figure><a class="image-link image2 is-viewable-img" target="_blank" href="https://substackcdn.com/image/fetch/f_auto/${encodeURIComponent(src)}" data-component-name="Image2ToDOM"><div class="image2-inset"><picture><source type="image/webp" srcset="https://substackcdn.com/image/fetch/w_424,f_webp/${encodeURIComponent(src)} 424w" sizes="100vw"><img src="https://substackcdn.com/image/fetch/w_1456,c_limit,f_auto/${encodeURIComponent(src)}" width="1456" height="971" ${attrs({ src, fullscreen: null, imageSize: null, height: 1000, width: 2000, resizeWidth: null, bytes: 12345, alt: "A stone", title: null, type: "image/png", href: null, belowTheFold: true, ...more })} class="sizing-normal" alt="A stone" srcset="https://substackcdn.com/image/fetch/w_424/${encodeURIComponent(src)} 424w" sizes="100vw" loading="lazy"></picture><div class="image-link-expand"><svg viewBox="0 0 1 1"></svg></div></div></a><figcaption class="image-caption">${caption}</figcaption></figure></div>`;
