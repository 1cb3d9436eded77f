import { trpc } from "../../../api/trpc.ts";
import type { FetchCard, RenderBlogCard } from "../../../editor/blocks/embed.ts";
import { codeLoader } from "../../../ui/fetch-code.ts";

const loadCards = codeLoader(() => import("./render-linked-card.ts"));

/** Returns how an editor gets the cards of links in its text, to other sites and to blogs of this one. */
export function useEditorCards(): { fetchCard: FetchCard; showBlog: RenderBlogCard } {
  const { client } = trpc.useUtils();
  const embed = trpc.blogs.embed.useMutation();
  return {
    fetchCard: async (href) => (await embed.mutateAsync({ href })).card,
    showBlog: async (place, slug) => {
      const cards = client.blogs.linked.query({ slugs: [slug] });
      const [{ blogs }, { renderLinkedCard }] = await Promise.all([cards, loadCards()]);
      for (const linked of blogs) renderLinkedCard(place, linked);
    },
  };
}
