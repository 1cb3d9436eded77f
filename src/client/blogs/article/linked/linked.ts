import { useEffect } from "react";
import { mostLinked, type LinkedBlog } from "../../../../shared/linked-blogs.ts";
import { trpc } from "../../../api/trpc.ts";
import { drawLinked } from "./draw.ts";

/** Milliseconds until what could not be had is asked for again. */
const AGAIN_AFTER = 30_000;

/** Shows what the reader may see of the site's own blogs that a text leads to, as of now; what they may not stays a link. */
export default function Linked(): null {
  const { client } = trpc.useUtils();
  useEffect(() => {
    const body = document.querySelector(".article > .prose");
    if (!body) return;
    const known = new Map<string, LinkedBlog | null>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const draw = (): void => {
      for (const { link, slug } of placesIn(body)) {
        const blog = known.get(slug);
        if (blog && !link.querySelector("strong")) drawLinked(link, blog);
      }
    };
    const look = (): void => {
      draw();
      const slugs = [...new Set(placesIn(body).map(({ slug }) => slug))]
        .filter((slug) => !known.has(slug))
        .slice(0, mostLinked - known.size);
      if (slugs.length === 0) return;
      for (const slug of slugs) known.set(slug, null);
      client.blogs.linked.query({ slugs }).then(
        ({ blogs }) => {
          for (const blog of blogs) known.set(blog.asked, blog);
          draw();
        },
        () => {
          for (const slug of slugs) known.delete(slug);
          timer = setTimeout(look, AGAIN_AFTER);
        },
      );
    };
    // What its author brings in has cards, too.
    const watcher = new MutationObserver(look);
    watcher.observe(body, { childList: true, subtree: true, attributeFilter: ["data-blog"] });
    look();
    return () => {
      watcher.disconnect();
      clearTimeout(timer);
    };
  }, [client]);
  return null;
}

const placesIn = (body: Element): { link: Element; slug: string }[] =>
  [...body.querySelectorAll<HTMLElement>("figure[data-blog]")].flatMap((figure) => {
    const link = figure.querySelector("a");
    return link ? [{ link, slug: figure.dataset.blog ?? "" }] : [];
  });
