import { useEffect } from "react";
import { maxLinkedCards, type LinkedBlog } from "../../../../shared/linked-blogs.ts";
import { trpc } from "../../../api/trpc.ts";
import { renderLinkedCard } from "./render-linked-card.ts";

/** The wait in milliseconds before a failed request is repeated. */
const RETRY_AFTER_MS = 30_000;

/** Renders cards for the linked blogs of this site that the reader can see. */
export default function LinkedCards(): null {
  const { client } = trpc.useUtils();
  useEffect(() => {
    const body = document.querySelector(".article > .prose");
    if (!body) return;
    const cached = new Map<string, LinkedBlog | null>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const draw = (): void => {
      for (const { link, slug } of linkedPlaceholders(body)) {
        const blog = cached.get(slug);
        if (blog && !link.querySelector("strong")) renderLinkedCard(link, blog);
      }
    };
    const fillCards = (): void => {
      draw();
      const slugs = [...new Set(linkedPlaceholders(body).map(({ slug }) => slug))]
        .filter((slug) => !cached.has(slug))
        .slice(0, maxLinkedCards - cached.size);
      if (slugs.length === 0) return;
      for (const slug of slugs) cached.set(slug, null);
      client.blogs.linked.query({ slugs }).then(
        ({ blogs }) => {
          for (const blog of blogs) cached.set(blog.asked, blog);
          draw();
        },
        () => {
          for (const slug of slugs) cached.delete(slug);
          timer = setTimeout(fillCards, RETRY_AFTER_MS);
        },
      );
    };
    // Updates may bring new links.
    const watcher = new MutationObserver(fillCards);
    watcher.observe(body, { childList: true, subtree: true, attributeFilter: ["data-blog"] });
    fillCards();
    return () => {
      watcher.disconnect();
      clearTimeout(timer);
    };
  }, [client]);
  return null;
}

const linkedPlaceholders = (body: Element): { link: Element; slug: string }[] =>
  [...body.querySelectorAll<HTMLElement>("figure[data-blog]")].flatMap((figure) => {
    const link = figure.querySelector("a");
    return link ? [{ link, slug: figure.dataset.blog ?? "" }] : [];
  });
