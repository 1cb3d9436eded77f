/* An export as Ghost writes it, with every column of its versions; the texts are ours. */

type Row = Record<string, unknown>;

export const postOf = (number: number, more: Row = {}): Row => ({
  id: `5f0000000000000000000${number.toString().padStart(3, "0")}`,
  uuid: `00000000-0000-4000-8000-${number.toString().padStart(12, "0")}`,
  title: `Post ${number}`,
  slug: `post-${number}`,
  mobiledoc: null,
  lexical: null,
  html: null,
  comment_id: `5f0000000000000000000${number.toString().padStart(3, "0")}`,
  plaintext: null,
  feature_image: null,
  featured: 0,
  type: "post",
  status: "published",
  locale: null,
  visibility: "public",
  email_recipient_filter: "all",
  created_at: "2020-02-28T10:00:00.000Z",
  updated_at: "2020-03-02T10:00:00.000Z",
  published_at: "2020-02-29T23:30:00.000Z",
  custom_excerpt: null,
  codeinjection_head: null,
  codeinjection_foot: null,
  custom_template: null,
  canonical_url: null,
  newsletter_id: null,
  show_title_and_feature_image: 1,
  ...more,
});

/** Returns the whole file; `wrapped` as the settings page exports it, otherwise as the import documentation shows it. */
export function ghostExport(
  posts: Row[],
  data: Row = {},
  { version = "5.87.1", wrapped = true } = {},
): string {
  const database = {
    meta: { exported_on: 1_700_000_000_000, version },
    data: {
      benefits: [],
      custom_theme_settings: [],
      newsletters: [{ id: "n1", uuid: "n", name: "Letters", slug: "default-newsletter", status: "active" }],
      offers: [],
      posts,
      posts_authors: [],
      posts_meta: [],
      posts_tags: [],
      products: [{ id: "p1", name: "Free", slug: "free", type: "free", visibility: "public" }],
      roles: [{ id: "r1", name: "Author", description: "Authors" }],
      roles_users: [{ id: "ru1", role_id: "r1", user_id: "u1" }],
      settings: [
        { id: "s1", group: "site", key: "title", value: "Field notes", type: "string" },
        { id: "s2", group: "site", key: "timezone", value: "Asia/Tokyo", type: "string" },
      ],
      snippets: [],
      tags: [],
      users: [],
      ...data,
    },
  };
  return JSON.stringify(wrapped ? { db: [database] } : database);
}
