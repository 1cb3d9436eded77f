/** Substack's own buttons to share, comment and subscribe. */
const buttons =
  /https?:\/\/([\w.-]{1,253})\/(?:(subscribe)\b|p\/([\w-]{1,300})(?:\/comments\b|\?[\w=%.;&-]{0,300}action=share))/gi;

/** Guesses the newsletter's hosts, which the export lacks, from its buttons. */
export class OwnHosts {
  readonly #sure = new Set<string>();
  readonly #likely = new Map<string, number>();

  learn(html: string, slug: string): void {
    const likely = new Set<string>();
    for (const [, host = "", subscribe, shared] of html.matchAll(buttons)) {
      // The letter's own slug is certain; a subscribe button may lead elsewhere.
      if (shared !== undefined && shared === slug && slug !== "coming-soon")
        this.#sure.add(host.toLowerCase());
      if (subscribe && !/^(?:www\.|open\.)?substack\.com$/i.test(host)) likely.add(host.toLowerCase());
    }
    for (const host of likely) this.#likely.set(host, (this.#likely.get(host) ?? 0) + 1);
  }

  get found(): ReadonlySet<string> {
    if (this.#sure.size > 0) return this.#sure;
    const [likeliest] = [...this.#likely].sort(([, one], [, other]) => other - one);
    return new Set(likeliest ? [likeliest[0]] : []);
  }
}
