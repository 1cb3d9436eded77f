import { messages } from "../../shared/errors.ts";
import { turning } from "../ui/location.ts";
import type { Location, NavigateOptions, Navigation } from "../ui/location.ts";
import { toast } from "../ui/toasts.tsx";
import { Redirect } from "../pages/page.ts";
import { codeOf, matchRoute } from "./resolve.ts";
import type { ReadyPage } from "./resolve.ts";
import { notFound } from "./routes.ts";

/** How an address was reached; `reload` shows the same one anew. */
export type Arrival = "first" | "push" | "replace" | "pop" | "reload";

export interface Shown {
  page: ReadyPage;
  location: Location;
  arrival: Arrival;
  /** Another leaf of the page that was shown before: the same path, another search. */
  turned: boolean;
  /** Where the reader was in this entry of the history when they left it. */
  place: Place | undefined;
}

interface Place {
  y: number;
  /** The control that had the focus: a link's address or an element's id. */
  focus: string | undefined;
}

interface HistoryState {
  key: string;
  usr: unknown;
}

/** Data younger than this are shown again without asking, where the reader goes forward. */
const FRESH_FOR = 2_000;
const PLACES = "reprise:places";

/**
 * Moves between pages without leaving the document: the next page's code and data are loaded first, then the address
 * and the page change at once. What is shown stays until then, and remains if the next page's data can't be had. Where there is
 * no page the server has the last word: there may be a file, or an address that leads elsewhere.
 */
export class BrowserNavigation implements Navigation {
  #shown: Shown;
  #turn = 0;
  #pending = false;
  readonly #resolve: (url: URL, maxAge: number) => Promise<ReadyPage | Redirect>;
  readonly #listeners = new Set<() => void>();
  readonly #places: Map<string, Place>;

  constructor(page: ReadyPage, resolve: (url: URL, maxAge: number) => Promise<ReadyPage | Redirect>) {
    this.#resolve = resolve;
    this.#places = new Map(readPlaces());
    const state = readState();
    this.#shown = {
      page,
      location: locationOf(new URL(location.href), state),
      arrival: "first",
      turned: false,
      place: undefined,
    };
  }

  /** Begins to listen to the browser: back and forward, links and forms anywhere in the page. */
  start(): void {
    window.addEventListener("popstate", () => void this.#popped());
    document.addEventListener("click", (event) => this.#clicked(event));
    document.addEventListener("submit", (event) => this.#submitted(event));
    for (const type of ["pointerover", "focusin"] as const)
      document.addEventListener(type, (event) => this.#foresee(event), { passive: true });
    // The browser restores a reloaded page better than any script; while we change pages under it, it must not try.
    history.scrollRestoration = "manual";
    window.addEventListener("pagehide", () => {
      history.scrollRestoration = "auto";
      this.#leave();
      writePlaces(this.#places);
    });
    window.addEventListener("pageshow", () => {
      history.scrollRestoration = "manual";
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly shown = (): Shown => this.#shown;
  readonly pending = (): boolean => this.#pending;

  readonly navigate = (to: string, { replace = false, state = null }: NavigateOptions = {}): Promise<void> =>
    this.#go(new URL(to, location.href), replace ? "replace" : "push", state);
  readonly reload = (): Promise<void> =>
    this.#go(new URL(location.href), "reload", this.#shown.location.state);

  async #go(url: URL, arrival: Exclude<Arrival, "first" | "pop">, usr: unknown): Promise<void> {
    if (url.origin !== location.origin) {
      location.assign(url);
      return;
    }
    const state: HistoryState = { key: arrival === "reload" ? this.#shown.location.key : newKey(), usr };
    const here = this.#shown.location;
    // A link into the page that is shown: nothing to load.
    if (
      arrival !== "reload" &&
      url.hash !== "" &&
      url.pathname === here.pathname &&
      url.search === here.search
    ) {
      this.#leave();
      this.#giveUp();
      await this.#enter(url, state, arrival, this.#shown.page);
      return;
    }
    const page = await this.#load(url, arrival);
    if (!page) return;
    if (page instanceof Redirect) {
      await this.#go(new URL(page.to, url), arrival === "push" ? "push" : "replace", null);
      return;
    }
    // A list that can't be turned to its next page stays at the one it shows (docs/specification.md, 8.5).
    if (page.status === 500 && arrival === "push" && url.pathname === here.pathname) {
      toast({ kind: "error", message: messages.dataFetch });
      return;
    }
    this.#leave();
    await this.#enter(url, state, arrival, page);
  }

  async #popped(): Promise<void> {
    // Read before anything is drawn: the window still stands where the reader left the old page.
    this.#leave();
    const url = new URL(location.href);
    const here = this.#shown.location;
    const state = readState();
    const samePage = url.pathname === here.pathname && url.search === here.search;
    if (samePage) this.#giveUp();
    const page = samePage ? this.#shown.page : await this.#load(url, "pop");
    if (!page) return;
    if (page instanceof Redirect) {
      await this.#go(new URL(page.to, url), "replace", null);
      return;
    }
    this.#show({
      page,
      location: locationOf(url, state),
      arrival: "pop",
      turned: false,
      place: this.#places.get(state.key),
    });
  }

  /** The page at an address; undefined where the reader has gone elsewhere meanwhile, or the server is asked for the document. */
  async #load(url: URL, arrival: Arrival): Promise<ReadyPage | Redirect | undefined> {
    const turn = ++this.#turn;
    this.#pending = true;
    this.#tell();
    const maxAge = arrival === "pop" ? Infinity : arrival === "reload" ? 0 : FRESH_FOR;
    try {
      const page = await this.#resolve(url, maxAge);
      // On the way to what is no page there may be a file, or what leads elsewhere. What is shown and goes was a page.
      if (maxAge !== FRESH_FOR || page instanceof Redirect || page.status !== 404)
        return turn === this.#turn ? page : undefined;
    } catch {
      // A page's code could not be fetched: after a new release it has another name.
    } finally {
      if (turn === this.#turn) {
        this.#pending = false;
        this.#tell();
      }
    }
    // The server knows.
    if (turn === this.#turn) {
      if (url.href === location.href) location.reload();
      else location.assign(url);
    }
    return undefined;
  }

  /** What was on its way is not waited for any more: the reader stays in the page that is shown. */
  #giveUp(): void {
    this.#turn++;
    this.#pending = false;
  }

  async #enter(url: URL, state: HistoryState, arrival: Arrival, page: ReadyPage): Promise<void> {
    if (arrival === "push") history.pushState(state, "", url);
    else history.replaceState(state, "", url);
    const turned = url.pathname === this.#shown.location.pathname;
    const show = () =>
      this.#show({ page, location: locationOf(url, state), arrival, turned, place: undefined });
    if (arrival === "push" && !turned && turning.by) await turning.by(show, url.pathname);
    else show();
  }

  #show(shown: Shown): void {
    this.#shown = shown;
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  #leave(): void {
    const active = document.activeElement;
    const focus =
      active instanceof HTMLAnchorElement
        ? (active.getAttribute("href") ?? undefined)
        : active?.id
          ? `#${active.id}`
          : undefined;
    this.#places.set(this.#shown.location.key, { y: window.scrollY, focus });
  }

  #clicked(event: MouseEvent): void {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    const link = linkOf(event.target);
    if (!link) return;
    event.preventDefault();
    // To where one is already leads no second entry of the history.
    void this.navigate(link.href, { replace: link.href === location.href });
  }

  #submitted(event: SubmitEvent): void {
    const form = event.target as HTMLFormElement;
    if (event.defaultPrevented || form.method !== "get" || form.target) return;
    const url = new URL(form.action);
    if (url.origin !== location.origin) return;
    event.preventDefault();
    for (const [name, value] of new FormData(form, event.submitter))
      if (typeof value === "string") url.searchParams.set(name, value);
    void this.navigate(url.href);
  }

  /** Fetches a page's code as soon as its link is pointed at. */
  #foresee(event: Event): void {
    const link = linkOf(event.target);
    if (link) codeOf(matchRoute(new URL(link.href).pathname).route).catch(() => {});
  }
}

/** The link to another page of ours that an event happened in. */
function linkOf(target: EventTarget | null): HTMLAnchorElement | null {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null;
  if (
    !link ||
    (link.target && link.target !== "_self") ||
    link.hasAttribute("download") ||
    link.origin !== location.origin
  )
    return null;
  const { route } = matchRoute(link.pathname);
  // What is no page of ours may be a file, a feed, the documentation: the server knows. So it does what a text is that is
  // named by its number alone, as other programs did.
  return route === notFound || /^\/\?(.*&)?p=/.test(link.pathname + link.search) ? null : link;
}

export function locationOf(url: URL, { key, usr }: HistoryState = { key: "first", usr: null }): Location {
  return { pathname: url.pathname, search: url.search, hash: url.hash, state: usr, key };
}

const newKey = (): string => Math.random().toString(36).slice(2, 10);

function readState(): HistoryState {
  const state = history.state as Partial<HistoryState> | null;
  if (state?.key) return { key: state.key, usr: state.usr ?? null };
  const fresh = { key: newKey(), usr: null };
  history.replaceState(fresh, "");
  return fresh;
}

function readPlaces(): [string, Place][] {
  try {
    return JSON.parse(sessionStorage.getItem(PLACES) ?? "[]") as [string, Place][];
  } catch {
    return [];
  }
}

function writePlaces(places: Map<string, Place>): void {
  try {
    sessionStorage.setItem(PLACES, JSON.stringify([...places].slice(-50)));
  } catch {
    // Without storage the reader starts at the top of a page they come back to from another site.
  }
}
