import type { BrowserContext } from "@playwright/test";
import type { TopicName } from "../../src/shared/live.ts";
import { openBrowser } from "../support/browser.ts";
import type { Action } from "./actions.ts";
import { sharedDraft } from "./draft-generator.ts";
import { liveBlog } from "./entry-generator.ts";
import { initialData, personName, type Act, type PersonIndex } from "./generator.ts";
import { SecretEntries } from "./secret-entries.ts";
import type { World } from "./world.ts";

const changes = ["title", "title in the form", "description", "text", "tags", "cover", "restore"];

/** Whether the action makes what a draft says visible, maybe later. */
const publishes = (act: Action): boolean =>
  act.kind === "publish the draft" ||
  ((act.kind === "publish" || act.kind === "visibility") && act.as !== "draft") ||
  ((act.kind === "publish later" || act.kind === "save as a draft") && act.seconds === 1);
const hides = (act: Action): boolean =>
  !publishes(act) &&
  ["begin", "publish", "visibility", "publish later", "save as a draft"].includes(act.kind);

/**
 * The words that were written and that nobody published: only authors and invited people may get them. And words of entries that
 * not everybody may read.
 */
export class SecretWords {
  readonly #world: World;
  /** The blog of each word. */
  readonly #blogs = new Map<string, number>();
  readonly #insiders = new Map<number, Set<number>>([
    [sharedDraft.blog, new Set([sharedDraft.by, sharedDraft.coAuthor])],
    [liveBlog.blog, new Set([liveBlog.by, liveBlog.coAuthor])],
  ]);
  /** Blogs that readers may see, and those that publish themselves at any moment. */
  readonly #shown = new Set(initialData.blogs.keys());
  readonly #planned = new Set<number>();
  /** Per blog, the publications that began and those that are not over. */
  readonly #begun = new Map<number, number>();
  readonly #underway = new Map<number, number>();
  readonly #entries: SecretEntries;
  readonly leaks: { page: string; lines: string[] }[] = [];

  constructor(world: World, acts: readonly Act[]) {
    this.#world = world;
    this.#entries = new SecretEntries(acts, this.#insiders);
    this.#shown.delete(sharedDraft.blog);
  }

  /** Performs an action and knows what it may publish. */
  async during(act: Action, perform: () => Promise<string>): Promise<string> {
    if (!("blog" in act)) return perform();
    const { blog, by } = act;
    const insiders = this.#insiders.get(blog) ?? new Set([this.#world.blogs[blog]?.by ?? by]);
    this.#insiders.set(blog, insiders);
    if (act.kind === "share") insiders.add(act.person);
    const onOver = this.#entries.begin(act);
    const mayPublish = insiders.has(by) && (publishes(act) || changes.includes(act.kind));
    if (mayPublish && publishes(act)) this.#shown.add(blog);
    if (mayPublish && "seconds" in act) this.#planned.add(blog);
    if (mayPublish && this.#shown.has(blog))
      for (const [word, writtenIn] of this.#blogs) if (writtenIn === blog) this.#blogs.delete(word);
    const isSecret = !this.#underway.get(blog) && !this.#planned.has(blog);
    if (act.kind === "write" && isSecret) this.#blogs.set(act.value, blog);
    const count = (counts: Map<number, number>, more: number) =>
      mayPublish && counts.set(blog, (counts.get(blog) ?? 0) + more);
    count(this.#begun, 1);
    count(this.#underway, 1);
    const begun = this.#begun.get(blog);
    const outcome = await perform().finally(() => count(this.#underway, -1));
    onOver(outcome);
    const isAlone = !this.#underway.get(blog) && begun === this.#begun.get(blog);
    if (hides(act) && outcome === "done" && isAlone && !this.#planned.has(blog)) this.#shown.delete(blog);
    return outcome;
  }

  /** Records the secret words in what somebody got. */
  #check(who: PersonIndex, where: string, text: string): void {
    for (const [word] of text.matchAll(/unseen\d+x/g)) {
      const ofDraft = this.#blogs.get(word);
      const isInsider = ofDraft !== undefined && who !== null && this.#insiders.get(ofDraft)?.has(who);
      const blog = isInsider ? undefined : (ofDraft ?? this.#entries.secretBlog(word, who));
      if (blog === undefined) continue;
      this.leaks.push({
        page: `${where} of ${personName(who)}`,
        lines: [`- ${word} of blog ${blog} | ${text.slice(0, 500)}`],
      });
    }
  }

  /** Reads along what a person's pages get. */
  watchPages(who: PersonIndex, context: BrowserContext): void {
    context.on("page", (page) =>
      page.on("websocket", (socket) =>
        socket.on("framereceived", ({ payload }) => this.#check(who, "a page's stream", String(payload))),
      ),
    );
    context.on("response", (response) => {
      const type = response.headers()["content-type"] ?? "";
      // A stream of events has no end.
      if (!/html|json/.test(type)) return;
      const check = (text: string) => this.#check(who, `a page's answer from ${response.url()}`, text);
      response.text().then(check, () => undefined);
    });
  }

  /** Follows everything that there is to follow as everyone, over a connection without faults. */
  watchStreams(): AsyncDisposable {
    const { blogs, beginningIds, people, site } = this.#world;
    const guest = openBrowser(site.url);
    const ids = [...blogs.map((blog) => blog?.id), ...beginningIds].filter((id) => id !== undefined);
    const shared: TopicName[] = [
      ...(["feed", "search", "likes"] as const),
      ...people.map(({ id }) => `profile:${id}` as const),
      ...ids.flatMap((id) => [`blog:${id}`, `card:${id}`] as const),
    ];
    const own: TopicName[] = ["me", ...ids.map((id) => `draft:${id}` as const)];
    for (const who of [null, ...people.keys()])
      (who === null ? guest : people[who]!.client).api.live.follow.subscribe(
        { topics: who === null ? shared : [...shared, ...own] },
        {
          onData: ({ data }) => this.#check(who, "the stream", JSON.stringify(data)),
          onError: () => undefined,
        },
      );
    return { [Symbol.asyncDispose]: guest.close };
  }
}
