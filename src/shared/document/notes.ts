import type { Node } from "prosemirror-model";

/** Renders footnotes: numbered by their order, with ids made of their keys. */
export class Notes {
  readonly #numbers = new Map<string, number>();
  readonly #rendered = new Set<string>();
  readonly #signs = new Set<string>();
  readonly #referenced = new Set<string>();
  /** The numbers of notes that begin a further list. */
  readonly #starts = new Map<Node, number>();

  constructor(document: Node) {
    let count = 0;
    document.descendants((node) => {
      const key = String(node.attrs.note);
      if (node.type.name === "footnotes" && count > 0 && node.firstChild)
        this.#starts.set(node.firstChild, count + 1);
      if (node.type.name === "footnote") {
        count++;
        if (!this.#numbers.has(key)) this.#numbers.set(key, count);
      } else if (node.type.name === "footnote_ref") this.#referenced.add(key);
      return !node.isTextblock || this.#holdsSign(node);
    });
  }

  #holdsSign(block: Node): boolean {
    return block.children.some(({ type }) => type.name === "footnote_ref");
  }

  /**
   * Returns the note's number as a link. If the note is missing, a numeric key, else `*`; in a part of a text (`isLinked`
   * false) always `*`.
   */
  sign(ref: Node, isLinked: boolean): string {
    if (!isLinked) return "*";
    const key = String(ref.attrs.note);
    const number = this.#numbers.get(key);
    if (number === undefined) return /^\d+$/.test(key) ? key : "*";
    const id = this.#signs.has(key) ? "" : ` id="fnref-${key}"`;
    this.#signs.add(key);
    return `<a href="#fn-${key}"${id} role="doc-noteref">${number}</a>`;
  }

  /** Returns the number to continue with, for the first note of a further list. */
  startOf = (note: Node): string | null => this.#starts.get(note)?.toString() ?? null;

  /** Null for a second note with the same key. */
  idOf(note: Node): string | null {
    const key = String(note.attrs.note);
    if (this.#rendered.has(key)) return null;
    this.#rendered.add(key);
    return `fn-${key}`;
  }

  backLink(note: Node): string {
    const key = String(note.attrs.note);
    return this.#referenced.has(key)
      ? `<a class="footnote-back" href="#fnref-${key}" role="doc-backlink" aria-label="Back to the text">↩</a>`
      : "";
  }
}
