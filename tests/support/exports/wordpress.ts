/* An export as WordPress writes it (WXR 1.2), with every element; the texts are ours. */

export const cdata = (text: string): string => `<![CDATA[${text.replaceAll("]]>", "]]]]><![CDATA[>")}]]>`;

export interface Item {
  id?: number;
  title?: string;
  type?: string;
  status?: string;
  slug?: string;
  link?: string;
  author?: string;
  content?: string;
  excerpt?: string;
  date?: string;
  gmt?: string;
  pubDate?: string;
  order?: number;
  password?: string;
  parent?: number;
  sticky?: 0 | 1;
  /** `[domain, nicename, name]` */
  terms?: [string, string, string][];
  meta?: Record<string, string>;
  url?: string;
  comments?: Comment[];
}

export interface Comment {
  id: number;
  author?: string;
  text: string;
  approved?: string;
  type?: string;
  parent?: number;
  gmt?: string;
}

const commentXml = ({
  id,
  author = "Guest",
  text,
  approved = "1",
  type = "comment",
  parent = 0,
  gmt,
}: Comment) => `
    <wp:comment>
      <wp:comment_id>${id}</wp:comment_id>
      <wp:comment_author>${cdata(author)}</wp:comment_author>
      <wp:comment_author_email>${cdata("guest@example.org")}</wp:comment_author_email>
      <wp:comment_author_url>https://guest.example/</wp:comment_author_url>
      <wp:comment_author_IP>${cdata("192.0.2.7")}</wp:comment_author_IP>
      <wp:comment_date>${cdata("2020-03-02 12:00:00")}</wp:comment_date>
      <wp:comment_date_gmt>${cdata(gmt ?? "2020-03-02 11:00:00")}</wp:comment_date_gmt>
      <wp:comment_content>${cdata(text)}</wp:comment_content>
      <wp:comment_approved>${cdata(approved)}</wp:comment_approved>
      <wp:comment_type>${cdata(type)}</wp:comment_type>
      <wp:comment_parent>${parent}</wp:comment_parent>
      <wp:comment_user_id>0</wp:comment_user_id>
    </wp:comment>`;

export const itemXml = ({
  id = 1,
  title = `Post ${id}`,
  type = "post",
  status = "publish",
  slug = `post-${id}`,
  link = `https://notes.example/2020/03/${slug}/`,
  author = "ana",
  content = "",
  excerpt = "",
  date = "2020-03-01 10:00:00",
  gmt = "2020-03-01 09:00:00",
  pubDate = "Sun, 01 Mar 2020 09:00:00 +0000",
  order = 0,
  password = "",
  parent = 0,
  sticky = 0,
  terms = [],
  meta = {},
  url,
  comments = [],
}: Item): string => `
  <item>
    <title>${cdata(title)}</title>
    <link>${link.replaceAll("&", "&amp;")}</link>
    <pubDate>${pubDate}</pubDate>
    <dc:creator>${cdata(author)}</dc:creator>
    <guid isPermaLink="false">https://notes.example/?p=${id}</guid>
    <description></description>
    <content:encoded>${cdata(content)}</content:encoded>
    <excerpt:encoded>${cdata(excerpt)}</excerpt:encoded>
    <wp:post_id>${id}</wp:post_id>
    <wp:post_date>${cdata(date)}</wp:post_date>
    <wp:post_date_gmt>${cdata(gmt)}</wp:post_date_gmt>
    <wp:post_modified>${cdata(date)}</wp:post_modified>
    <wp:post_modified_gmt>${cdata(gmt)}</wp:post_modified_gmt>
    <wp:comment_status>${cdata("open")}</wp:comment_status>
    <wp:ping_status>${cdata("open")}</wp:ping_status>
    <wp:post_name>${cdata(slug)}</wp:post_name>
    <wp:status>${cdata(status)}</wp:status>
    <wp:post_parent>${parent}</wp:post_parent>
    <wp:menu_order>${order}</wp:menu_order>
    <wp:post_type>${cdata(type)}</wp:post_type>
    <wp:post_password>${cdata(password)}</wp:post_password>
    <wp:is_sticky>${sticky}</wp:is_sticky>${url ? `\n    <wp:attachment_url>${cdata(url)}</wp:attachment_url>` : ""}
${terms.map(([domain, nicename, name]) => `    <category domain="${domain}" nicename="${nicename}">${cdata(name)}</category>`).join("\n")}
${Object.entries(meta)
  .map(
    ([key, value]) =>
      `    <wp:postmeta><wp:meta_key>${cdata(key)}</wp:meta_key><wp:meta_value>${cdata(value)}</wp:meta_value></wp:postmeta>`,
  )
  .join("\n")}${comments.map(commentXml).join("")}
  </item>`;

export const attachment = (id: number, url: string, more: Item = {}): Item => ({
  id,
  type: "attachment",
  status: "inherit",
  slug: `file-${id}`,
  link: `https://notes.example/file-${id}/`,
  url,
  ...more,
});

/** The whole file. */
export const wordPressExport = (
  items: (Item | string)[],
  head = "",
): string => `<?xml version="1.0" encoding="UTF-8" ?>
<!-- This is an export of a site, made for a test. -->
<rss version="2.0"
  xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/"
  xmlns:content="http://purl.org/rss/1.0/modules/content/"
  xmlns:wfw="http://wellformedweb.org/CommentAPI/"
  xmlns:dc="http://purl.org/dc/elements/1.1/"
  xmlns:wp="http://wordpress.org/export/1.2/">
<channel>
  <title>Field notes</title>
  <link>https://notes.example</link>
  <description>What grows</description>
  <pubDate>Mon, 01 Jan 2024 00:00:00 +0000</pubDate>
  <language>en-GB</language>
  <wp:wxr_version>1.2</wp:wxr_version>
  <wp:base_site_url>https://notes.example</wp:base_site_url>
  <wp:base_blog_url>https://notes.example</wp:base_blog_url>
  <wp:author><wp:author_id>1</wp:author_id><wp:author_login>${cdata("ana")}</wp:author_login><wp:author_email>${cdata("ana@example.org")}</wp:author_email><wp:author_display_name>${cdata("Ana Lima")}</wp:author_display_name><wp:author_first_name>${cdata("Ana")}</wp:author_first_name><wp:author_last_name>${cdata("Lima")}</wp:author_last_name></wp:author>
  <wp:category><wp:term_id>1</wp:term_id><wp:category_nicename>${cdata("uncategorized")}</wp:category_nicename><wp:category_parent></wp:category_parent><wp:cat_name>${cdata("Uncategorized")}</wp:cat_name></wp:category>
  <wp:tag><wp:term_id>2</wp:term_id><wp:tag_slug>${cdata("moss")}</wp:tag_slug><wp:tag_name>${cdata("Moss")}</wp:tag_name></wp:tag>
  <generator>https://wordpress.org/?v=6.5.2</generator>
${head}
${items.map((item) => (typeof item === "string" ? item : itemXml(item))).join("\n")}
</channel>
</rss>
`;
