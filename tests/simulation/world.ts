import { rm } from "node:fs/promises";
import path from "node:path";
import type { Browser as Chromium, BrowserContext, CDPSession, Page } from "@playwright/test";
import { routes } from "../../src/shared/routes.ts";
import {
  signUpAndSignIn,
  openBrowser,
  password,
  type Browser,
  type SignedInBrowser,
} from "../support/browser.ts";
import { Proxy as SiteProxy } from "../support/proxy.ts";
import { until } from "../support/until.ts";
import { TcpLink } from "../support/tcp-link.ts";
import { addCoAuthor, postEntry } from "../support/live-blogs.ts";
import { aBlog, aComment, paragraphs } from "../support/sample-content.ts";
import { newId } from "../../src/server/runtime/ids.ts";
import { sharedDraft } from "./draft-generator.ts";
import { liveBlog } from "./entry-generator.ts";
import { initialData, type OpenedPage, type PersonIndex, type Plan } from "./generator.ts";
import { oneServer, type HistorySite, type SiteData, type SiteStore } from "./history-site.ts";
import { SecretWords } from "./secret-words.ts";
import { loadCompletely, loadEntryForms } from "./snapshot.ts";

export interface Person {
  id: string;
  name: string;
  email: string;
  /** The sessions of their API client and of their windows. */
  cookies: [client: string, windows: string];
}

export interface Blog {
  id: string;
  by: number;
}

/** A prepared site: each history begins with a copy of it. */
export interface Template extends AsyncDisposable {
  store: SiteStore;
  data: SiteData;
  people: Person[];
  blogs: Blog[];
  /** The ids of the live blog's entries. */
  entries: string[];
}

/** Returns a comment's text, which begins with its unique number. */
export const markedText = (comment: number, text: string): string => `#${comment} ${text}`;

export async function makeTemplate(store: SiteStore = oneServer): Promise<Template> {
  const data = await store.create();
  const server = await store.start(data);
  const residents: SignedInBrowser[] = [];
  const people: Person[] = [];
  for (const name of initialData.people) {
    const resident = await signUpAndSignIn(openBrowser(server.url), name, path.join(data.folder, "outbox"));
    residents.push(resident);
    const other = openBrowser(server.url);
    await other.api.users.signIn.mutate({ email: resident.email, password });
    const { email, me } = resident;
    people.push({ id: me.id, name, email, cookies: [resident.cookie, other.cookie] });
    await other.close();
  }
  const blogs: Blog[] = [];
  for (const { by, title, as } of initialData.blogs) {
    const tags = [title.split(" ")[0]!.replace(",", "").toLowerCase()];
    const blog = aBlog({
      title,
      tags,
      document: paragraphs(`${title}. As it was at first.`),
      draft: as === "draft",
    });
    await residents[by]!.api.blogs.create.mutate(blog);
    blogs.push({ id: blog.id, by });
  }
  for (const { by, coAuthor, blog } of [sharedDraft, liveBlog])
    await addCoAuthor(residents[by]!, blogs[blog]!, residents[coAuthor]!);
  const live = blogs[liveBlog.blog]!;
  await residents[liveBlog.by]!.api.blogs.setLive.mutate({ id: live.id, live: true });
  const entries: string[] = [];
  for (const [entry, { by }] of initialData.entries.entries()) {
    const title = markedText(entry, "A goose.");
    entries.push((await postEntry(residents[by]!, live, { title, isKey: entry % 8 === 0 })).id);
  }
  for (const [comment, { by, blog }] of initialData.comments.entries())
    await residents[by]!.api.comments.create.mutate(
      aComment(blogs[blog]!, { text: markedText(comment, "Lovely.") }),
    );
  await residents[initialData.private]!.api.users.updateSettings.mutate({ private: true });
  for (const [from, to] of initialData.follows)
    await residents[from]!.api.social.follow.mutate({ userId: people[to]!.id, follow: true });
  for (const resident of residents) await resident.close();
  await server.kill();
  return {
    store,
    data,
    people,
    blogs,
    entries,
    [Symbol.asyncDispose]: () => rm(data.folder, { recursive: true, force: true }),
  };
}

export interface OpenPage {
  opened: OpenedPage;
  page: Page;
  control: CDPSession;
  isFrozen: boolean;
}

/** A person's browser, and what is between it and the site: first their connection, then their network's proxy. */
export interface PersonConnection {
  tcpLink: TcpLink;
  proxy: SiteProxy;
  context: BrowserContext;
}

/** A person with an API client, whose connection is never disturbed. */
export interface Actor extends Person {
  client: Browser;
}

/** One history's site and the browsers of those who have pages open. */
export class World implements AsyncDisposable {
  readonly people: Actor[];
  readonly blogs: (Blog | undefined)[];
  readonly connections = new Map<PersonIndex, PersonConnection>();
  readonly windows: OpenPage[] = [];
  /** The ids of blogs that begin, by their numbers. */
  readonly beginningIds: (string | undefined)[] = [];
  /** The ids of entries by their numbers, as far as they are known. */
  readonly entryIds: Map<number, string>;
  readonly secretWords: SecretWords;
  /** The ids of rejected askers, who may be restored. */
  readonly rejected: string[] = [];
  readonly #folder: string;
  readonly site: HistorySite;
  readonly #close: (() => Promise<unknown>)[] = [];
  #recovery: Promise<void> | undefined;

  private constructor(folder: string, site: HistorySite, template: Template, plan: Plan) {
    this.#folder = folder;
    this.site = site;
    this.people = template.people.map((person) => ({
      ...person,
      client: openBrowser(site.url, person.cookies[0]),
    }));
    this.blogs = [...template.blogs];
    this.entryIds = new Map(template.entries.entries());
    this.secretWords = new SecretWords(this, plan.acts);
    for (const { client } of this.people) this.#close.push(client.close);
  }

  static async open(template: Template, chromium: Chromium, plan: Plan): Promise<World> {
    const { opened, followed, acts } = plan;
    const data = await template.store.copy(template.data);
    const world = new World(data.folder, await template.store.start(data), template, plan);
    for (const act of acts) if (act.kind === "begin") world.beginningIds[act.blog] = newId();
    try {
      await Promise.all(
        [...new Set([...opened, ...followed].map(({ who }) => who))].map((person) =>
          world.#connect(chromium, person),
        ),
      );
      world.windows.push(...(await Promise.all(opened.map((openedPage) => world.#open(openedPage)))));
    } catch (error) {
      await world[Symbol.asyncDispose]();
      throw error;
    }
    return world;
  }

  /** Returns the current address of a page, through its viewer's connection. */
  async addressOf(opened: OpenedPage): Promise<string> {
    const username = async (of: number): Promise<string> =>
      (await this.people[of]!.client.api.users.me.query())?.username ?? "";
    const paths: Record<OpenedPage["page"], () => string | Promise<string>> = {
      home: () => routes.home(),
      "home, page 2": () => routes.home(2),
      "home, most liked": () => routes.home(1, "likes"),
      "home, following": () => routes.home(1, "following"),
      landing: () => "/",
      "my blogs": () => "/my-blogs",
      requests: () => "/requests",
      notifications: () => "/notifications",
      blog: async () => `${await this.pathOfBlog("blog" in opened ? opened.blog : 0)}?comments=open`,
      profile: async () =>
        "tab" in opened ? routes.profile(await username(opened.of), opened.tab) : routes.home(),
      followers: async () => ("of" in opened ? routes.followers(await username(opened.of)) : ""),
      following: async () => ("of" in opened ? routes.following(await username(opened.of)) : ""),
      "search for blogs": () => routes.search("words" in opened ? opened.words : ""),
      tag: () => routes.tag("tag" in opened ? opened.tag : ""),
      "tag, most liked": () => `${routes.tag("tag" in opened ? opened.tag : "")}?sort=likes`,
      "search for people": () => routes.search("words" in opened ? opened.words : "", "people"),
    };
    return this.connections.get(opened.who)!.tcpLink.url + (await paths[opened.page]());
  }

  /** Returns the path of a blog of the plan. */
  async pathOfBlog(blog: number): Promise<string> {
    const entry = this.blogs[blog]!;
    const { slug } = await this.people[entry.by]!.client.api.blogs.card.query({ id: entry.id });
    return routes.blog(slug);
  }

  newTab(person: PersonIndex): Promise<Page> {
    return this.connections.get(person)!.context.newPage();
  }

  /** Lets the site fail, runs `meanwhile`, and lets it recover. */
  failSite(meanwhile: () => Promise<unknown> = async () => {}): Promise<void> {
    this.#recovery ??= this.site.fail(meanwhile).then(() => (this.#recovery = undefined));
    return this.#recovery;
  }

  /** Resolves when a site that failed is up again. */
  async siteRecovered(): Promise<void> {
    await this.#recovery;
  }

  async #connect(chromium: Chromium, person: PersonIndex): Promise<void> {
    const proxy = await SiteProxy.before(this.site.url);
    const tcpLink = await TcpLink.to(proxy.url);
    const context = await chromium.newContext({ viewport: { width: 1280, height: 900 } });
    this.#close.push(async () => {
      await context.close();
      await tcpLink[Symbol.asyncDispose]();
      await proxy[Symbol.asyncDispose]();
    });
    context.setDefaultTimeout(120_000);
    this.secretWords.watchPages(person, context);
    await context.addInitScript(installShiftableClock);
    if (person !== null) {
      const [name = "", value = ""] = this.people[person]!.cookies[1].split("=");
      await context.addCookies([{ name, value, url: tcpLink.url, httpOnly: true, sameSite: "Lax" }]);
    }
    this.connections.set(person, { tcpLink, proxy, context });
  }

  async #open(opened: OpenedPage): Promise<OpenPage> {
    const page = await this.newTab(opened.who);
    const control = await page.context().newCDPSession(page);
    // Loads everything: code still in flight when a connection dies silently would never arrive.
    await loadCompletely(page, await this.addressOf(opened));
    await loadEntryForms(page);
    return { opened, page, control, isFrozen: false };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#recovery;
    for (const close of this.#close) await close().catch(() => {});
    await this.site.kill();
    await until(() => rm(this.#folder, { recursive: true, force: true }).then(() => true));
  }
}

declare global {
  interface Window {
    /** By how many milliseconds this page's clock is wrong. */
    clockOff?: number;
  }
}

function installShiftableClock(): void {
  const now = Date.now.bind(Date);
  const shiftedNow = () => now() + (window.clockOff ?? 0);
  window.Date = new Proxy(Date, {
    construct: (target, args: [], newTarget) =>
      Reflect.construct(target, args.length > 0 ? args : [shiftedNow()], newTarget),
    get: (target, key) => (key === "now" ? shiftedNow : Reflect.get(target, key)),
  });
}
