/** The addresses that its own buttons lead to: to share, to write a comment, to subscribe. */
const buttons =
  /https?:\/\/([\w.-]{1,253})\/(?:(subscribe)\b|p\/([\w-]{1,300})(?:\/comments\b|\?[\w=%.;&-]{0,300}action=share))/gi;

/** Where letters stood, which an export does not say, as their buttons do. */
export class OwnHosts {
  readonly #sure = new Set<string>();
  readonly #likely = new Map<string, number>();

  /** A letter's text, and by which name it stood. */
  learn(html: string, slug: string): void {
    const likely = new Set<string>();
    for (const [, host = "", subscribe, shared] of html.matchAll(buttons)) {
      // A letter's own name behind a host says it for sure; a call to subscribe may be to a friend's.
      if (shared !== undefined && shared === slug && slug !== "coming-soon")
        this.#sure.add(host.toLowerCase());
      if (subscribe && !/^(?:www\.|open\.)?substack\.com$/i.test(host)) likely.add(host.toLowerCase());
    }
    for (const host of likely) this.#likely.set(host, (this.#likely.get(host) ?? 0) + 1);
  }

  get found(): ReadonlySet<string> {
    if (this.#sure.size > 0) return this.#sure;
    const [most] = [...this.#likely].sort(([, one], [, other]) => other - one);
    return new Set(most ? [most[0]] : []);
  }
}
