import { cardSize, jpegOf, type CardWords } from "../../shared/cards.ts";
import type { SiteInfo, Viewer } from "../../shared/users.ts";
import { routes } from "../../shared/routes.ts";
import type { Data } from "../api/trpc.ts";
import { canonicalUrlOf } from "../pages/head.ts";
import type { PageFacts } from "../pages/page.ts";
import { entryData, later, liveBlogData, personData } from "./live-blog-data.ts";

/** A rendered page; `path` is its route's, and empty for an error page. */
export interface LoadedPage {
  path: string;
  file: string;
  params: Readonly<Record<string, string | undefined>>;
  facts: PageFacts;
  status: number;
}

/** The part of a page's head that only the server writes. */
export interface PageHead {
  isListed: boolean;
  kind: "website" | "article" | "profile";
  author?: string;
  image?: HeadImage | undefined;
  /** Meta properties as `article:tag`. */
  properties: [name: string, content: string][];
  /** Structured data (JSON-LD), for guests only, as crawlers are. */
  structuredData: object[];
}

/** The preview picture of links to the page. */
export interface HeadImage {
  src: string;
  width?: number;
  height?: number;
  alt: string;
}

interface HeadRequest {
  page: LoadedPage;
  url: URL;
  data: Data;
  site: SiteInfo;
  viewer: Viewer | null;
  cardAt: (card: CardWords) => Promise<string>;
}

/** Describes a page beyond its facts; the loader's queries are cached. */
type Describe = (request: HeadRequest) => Partial<PageHead> | Promise<Partial<PageHead>>;

/** Pages that search engines can list; no others. */
const descriptions: Record<string, Describe> = {
  "/": aboutSite,
  "/home": aboutSite,
  "/blog/:slug": aboutBlog,
  "/blog/:slug/:entry": aboutEntry,
  "/tag/:tag": ({ page, site }) => ({
    structuredData: [breadcrumbs(site, [page.facts.title, page.facts.canonical])],
  }),
  "/search": ({ url }) => ({ isListed: !url.searchParams.get("q") && !url.searchParams.has("page") }),
  "/terms": ({ url }) => ({ isListed: !url.searchParams.has("version") }),
  "/privacy": ({ url }) => ({ isListed: !url.searchParams.has("version") }),
  "/docs": () => ({}),
  "/:username": aboutPerson,
  "/:username/:tab": (request) =>
    request.page.params.tab === "blogs" ? aboutPerson(request) : { isListed: false },
};

/** Returns the head of a loaded page. Only public pages are described. */
export async function headOf(request: HeadRequest): Promise<PageHead> {
  const { page, site, viewer } = request;
  const describe = page.status === 200 && !page.facts.isNotFound ? descriptions[page.path] : undefined;
  const head = (await describe?.(request)) ?? { isListed: false };
  const { isListed = true, structuredData = [], properties = [], ...rest } = head;
  return {
    image: site.picture === null ? undefined : { src: site.picture, alt: site.name },
    kind: "website",
    ...rest,
    isListed,
    properties,
    structuredData: isListed && viewer === null ? structuredData : [],
  };
}

/** A card rendered when first requested. For guests only, as the programs that show links are. */
async function cardImage({ viewer, cardAt }: HeadRequest, card: CardWords): Promise<{ image?: HeadImage }> {
  return viewer ? {} : { image: { src: await cardAt(card), ...cardSize, alt: card.title } };
}

async function aboutSite(request: HeadRequest): Promise<Partial<PageHead>> {
  const { site } = request;
  const { name, description, publicUrl } = site;
  const search = { "@type": "EntryPoint", urlTemplate: `${publicUrl}/search?q={search_term_string}` };
  const card = { of: "", title: name, name: description, username: "", picture: null };
  return {
    ...(await cardImage(request, card)),
    structuredData: [
      {
        "@type": "WebSite",
        "@id": `${publicUrl}/#site`,
        url: `${publicUrl}/`,
        name,
        description,
        inLanguage: site.language,
        potentialAction: {
          "@type": "SearchAction",
          target: search,
          "query-input": "required name=search_term_string",
        },
      },
    ],
  };
}

async function aboutBlog(request: HeadRequest): Promise<Partial<PageHead>> {
  const { page, data, site, viewer } = request;
  const blog = await data.blogs.bySlug.fetch({ slug: page.params.slug ?? "" });
  const { author, cover, live } = blog;
  if (blog.draft || blog.private) return { isListed: false };
  const people = [author, ...(blog.coAuthors ?? [])].map((person) => personData(site, person));
  const coverage = live && viewer === null ? await liveBlogData({ ...blog, live }, data, site) : undefined;
  const editedAt = coverage ? later(blog.editedAt ?? coverage.changedAt, coverage.changedAt) : blog.editedAt;
  const address = site.publicUrl + routes.blog(blog.slug);
  const { image } = cover
    ? { image: { ...jpegOf(cover), alt: cover.alt || blog.title } }
    : await cardImage(request, { of: blog.slug, title: blog.title, ...author });
  return {
    kind: "article",
    author: people.map(({ name }) => name).join(", "),
    ...(image && { image }),
    properties: [
      ["article:published_time", blog.publishedAt],
      ...(editedAt ? [["article:modified_time", editedAt] as [string, string]] : []),
      ...people.map(({ url }): [string, string] => ["article:author", url]),
      ...blog.tags.map((tag): [string, string] => ["article:tag", tag]),
    ],
    structuredData: [
      {
        "@type": coverage ? "LiveBlogPosting" : "BlogPosting",
        "@id": address,
        url: address,
        mainEntityOfPage: canonicalUrlOf(page.facts, site, routes.blog(blog.slug)),
        headline: blog.title,
        description: page.facts.description,
        datePublished: blog.publishedAt,
        dateModified: editedAt ?? blog.publishedAt,
        author: people.length === 1 ? people[0] : people,
        publisher: { "@type": "Organization", name: site.name, url: `${site.publicUrl}/` },
        ...(image && { image: site.publicUrl + image.src }),
        ...(blog.tags.length > 0 && { keywords: blog.tags }),
        ...(blog.language && { inLanguage: blog.language }),
        timeRequired: `PT${blog.readingMinutes}M`,
        isAccessibleForFree: true,
        ...coverage?.properties,
      },
      breadcrumbs(site, [author.name, routes.profile(author.username)], [blog.title, routes.blog(blog.slug)]),
    ],
  };
}

/** An entry of a live blog: a page of its own, with a card that says its headline. */
async function aboutEntry(request: HeadRequest): Promise<Partial<PageHead>> {
  const { page, data, site } = request;
  const about = await aboutBlog(request);
  if (about.isListed === false) return about;
  const blog = await data.blogs.bySlug.fetch({ slug: page.params.slug ?? "" });
  const { entry } = await data.blogs.entry.fetch({ blogId: blog.id, id: page.params.entry ?? "" });
  if (!entry) return { isListed: false };
  const { author } = blog;
  return {
    ...about,
    ...(await cardImage(request, { of: `~${entry.id}`, title: entry.headline, ...author })),
    structuredData: [
      { ...entryData(entry, blog.slug, site), isPartOf: site.publicUrl + routes.blog(blog.slug) },
      breadcrumbs(
        site,
        [author.name, routes.profile(author.username)],
        [blog.title, routes.blog(blog.slug)],
        [entry.headline, routes.entry(blog.slug, entry.id)],
      ),
    ],
  };
}

async function aboutPerson(request: HeadRequest): Promise<Partial<PageHead>> {
  const { page, data, site } = request;
  const person = await data.users.profile.fetch({ username: page.params.username ?? "" });
  if (person.private) return { isListed: false };
  const address = site.publicUrl + routes.profile(person.username);
  return {
    kind: "profile",
    ...(await cardImage(request, {
      of: `@${person.username}`,
      title: person.name,
      name: `@${person.username}`,
      username: person.username,
      picture: person.picture,
    })),
    properties: [["profile:username", person.username]],
    structuredData: [
      {
        "@type": "ProfilePage",
        url: address,
        dateCreated: person.joinedAt,
        mainEntity: {
          "@type": "Person",
          "@id": address,
          url: address,
          name: person.name,
          alternateName: person.username,
          ...(person.bio && { description: person.bio }),
          ...(person.picture && { image: site.publicUrl + person.picture }),
        },
      },
      breadcrumbs(site, [person.name, routes.profile(person.username)]),
    ],
  };
}

/** The breadcrumbs from the home page to a page. */
function breadcrumbs(site: SiteInfo, ...steps: [name: string, path: string | undefined][]): object {
  return {
    "@type": "BreadcrumbList",
    itemListElement: [[site.name, routes.home()] as const, ...steps].map(([name, path], index) => ({
      "@type": "ListItem",
      position: index + 1,
      name,
      ...(path !== undefined && { item: site.publicUrl + path }),
    })),
  };
}
