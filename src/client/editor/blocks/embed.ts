import { closeHistory } from "prosemirror-history";
import { Plugin, PluginKey, TextSelection } from "prosemirror-state";
import type { Command, EditorState, Transaction } from "prosemirror-state";
import type { Node } from "prosemirror-model";
import type { EditorView, NodeView } from "prosemirror-view";
import { blogAt, embeddable, type EmbedCard } from "../../../shared/document/embeds.ts";
import { isOwnPath } from "../../../shared/document/own-links.ts";
import { schema } from "../../../shared/document/schema.ts";
import { routes } from "../../../shared/routes.ts";
import type { EditorBlock } from "../block.ts";
import { element } from "../element.ts";
import { unformattedText } from "../clipboard-text.ts";

const { nodes, marks } = schema;
const key = new PluginKey("embeds");

/** Fetches the card of an address. */
export type FetchCard = (href: string) => Promise<EmbedCard | null>;
/** Renders the card of a blog of this site, as far as the writer can see it. */
export type RenderBlogCard = (place: Element, slug: string) => Promise<void>;

/** Returns the address for a card: of a supported site or a blog of this site; else null. */
function cardAddress(state: EditorState, href: string): string | null {
  if (embeddable(href)) return href;
  const slug = blogAt(href);
  if (slug === null || !URL.canParse(href)) return null;
  const site = (key.get(state)?.spec.origin as string | undefined) ?? location.origin;
  return [site, location.origin].includes(new URL(href).origin) ? routes.blog(slug) : null;
}

/** Replaces the paragraph with the caret, which contains only the address, by its card. */
function withEmbed(state: EditorState, href: string): Transaction | null {
  const { $from } = state.selection;
  const [from, at] = [$from.before(), $from.index(-1)];
  const outer = $from.node(-1);
  if (!outer.canReplaceWith(at, at + 1, nodes.embed)) return null;
  const tr = closeHistory(state.tr).replaceWith(from, $from.after(), nodes.embed.create({ href }));
  const below = from + 1;
  if (tr.doc.resolve(below).nodeAfter?.type !== nodes.paragraph) tr.insert(below, nodes.paragraph.create());
  tr.setSelection(TextSelection.create(tr.doc, below + 1));
  // One `Backspace` undoes it.
  const rules = state.plugins.find(({ spec }) => spec.isInputRules === true);
  if (rules) tr.setMeta(rules, { transform: tr, from: tr.selection.from, to: tr.selection.from, text: "" });
  return tr.setMeta(key, href).scrollIntoView();
}

/** Enter after an address alone on its line makes a card; a link stays. */
const enterEmbed: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  const { parent } = $from;
  if (!empty || parent.type !== nodes.paragraph || $from.pos !== $from.end() || parent.childCount !== 1)
    return false;
  const text = parent.firstChild?.marks.length === 0 ? parent.textContent.trim() : "";
  const href = cardAddress(state, text);
  const tr = href === null ? null : withEmbed(state, href);
  if (tr) dispatch?.(tr);
  return tr !== null;
};

/** Turns an address pasted into an empty line into a link, then into a card: two undo steps. `origin` is the site's. */
function embedsPlugin(fetchCard: FetchCard, origin: string): Plugin {
  let isPlain = false;
  return new Plugin({
    key,
    origin,
    state: {
      init: () => null as string | null,
      apply: (tr) => (tr.getMeta(key) as string | undefined) ?? null,
    },
    view: () => ({
      update(view, before) {
        const href = key.getState(view.state) as string | null;
        if (href !== null && view.state !== before && key.getState(before) !== href)
          void fillCards(view, href, fetchCard);
      },
    }),
    props: {
      transformPastedText(text, plain) {
        isPlain = plain;
        return text;
      },
      handlePaste(view, event) {
        const { $from, empty } = view.state.selection;
        const href = unformattedText(event.clipboardData)?.trim() ?? "";
        if (isPlain || !empty || $from.parent.type !== nodes.paragraph || $from.parent.content.size > 0)
          return false;
        const cardHref = cardAddress(view.state, href);
        if (cardHref === null) return false;
        const link = schema.text(href, [marks.link.create({ href })]);
        view.dispatch(view.state.tr.replaceSelectionWith(link, false).setMeta("paste", true));
        const tr = withEmbed(view.state, cardHref);
        if (tr) view.dispatch(tr);
        return true;
      },
    },
  });
}

/** Fetches the content of new cards. Offline or without a result they stay links. */
async function fillCards(view: EditorView, href: string, fetchCard: FetchCard): Promise<void> {
  const card = embeddable(href) && (await fetchCard(href).catch(() => null));
  if (!card || view.isDestroyed) return;
  const { tr } = view.state;
  view.state.doc.descendants((node, pos) => {
    if (node.type === nodes.embed && node.attrs.href === href && node.attrs.title === "")
      tr.setNodeMarkup(pos, null, { href, ...card });
    return !node.isTextblock;
  });
  if (tr.docChanged) view.dispatch(tr.setMeta("addToHistory", false));
}

/** A card in the editor: not clickable. */
class EmbedView implements NodeView {
  readonly dom = element("figure", { class: "embed", contenteditable: "false" });

  constructor(node: Node, { origin, showBlog }: { origin: string; showBlog: RenderBlogCard }) {
    const { href, title, author, text } = node.attrs as EmbedCard & { href: string };
    const place = embeddable(href)?.place ?? "";
    const box = element("div", { class: "embed-card" });
    if (title === "") box.append(isOwnPath(href) ? origin + href : href);
    else {
      box.append(element("strong", {}, title));
      if (text) box.append(element("span", {}, text));
      box.append(element("small", {}, [author, place].filter(Boolean).join(" · ")));
    }
    this.dom.append(box);
    const slug = blogAt(href, origin);
    if (slug === null) return;
    this.dom.dataset.blog = slug;
    // Offline the card shows its address.
    showBlog(box, slug).catch(() => {});
  }

  ignoreMutation(): boolean {
    return true;
  }
}

const own = schema.nodes.embed.spec.toDOM!;

export const embedBlock: EditorBlock = {
  earlyKeys: { Enter: enterEmbed },
  pagePlugins: ({ fetchCard, origin }) => [embedsPlugin(fetchCard, origin)],
  views: (options) => ({ embed: (node) => new EmbedView(node, options) }),
  copied: {
    embed(node) {
      const { href, title } = node.attrs as { href: string; title: string };
      return [...(own(node) as [string, object]), ["a", { href }, title || href]];
    },
  },
};
