import { redirect, useLocation, useNavigate, useParams } from "react-router-dom";
import { getQueryKey } from "@trpc/react-query";
import { useQueryClient } from "@tanstack/react-query";
import { Suspense, useEffect, useRef, useState } from "react";
import type { Dispatch, SetStateAction } from "react";
import type { BlogPage as Blog } from "../../shared/blogs.ts";
import type { LiveState } from "../../shared/entries.ts";
import { routes } from "../../shared/routes.ts";
import { trpc } from "../api/trpc.ts";
import { updateHead, useTitle } from "./head.ts";
import type { PageFacts, PageRequest } from "./page.ts";
import { ArticleBar } from "../blogs/article/bar.tsx";
import { ArticleContents, ArticleCover, ArticleTags, ArticleText } from "../blogs/article/body.tsx";
import { ArticleHead } from "../blogs/article/head.tsx";
import { pageAfterDeletion } from "../blogs/article/owner-actions.tsx";
import { useSelectedBlog } from "../blogs/article/selected-blog.ts";
import { updates } from "../blogs/article/article-query.ts";
import type { CachedArticle } from "../blogs/article/article-query.ts";
import { CommentsWaiting } from "../comments/comments-waiting.tsx";
import { BlogPresence } from "../comments/blog-presence.tsx";
import { LazyCommentsSection, loadComments } from "../comments/lazy-section.tsx";
import { LazyEntriesSection, loadEntries, sectionId as entriesId } from "../entries/lazy-section.ts";
import { codeLoader } from "../ui/fetch-code.ts";
import { LinkButton } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty.tsx";
import { useHydrated } from "../ui/hydrated.ts";
import { WhenNear, onDemand } from "../ui/on-demand.tsx";
import { toast } from "../ui/toasts.tsx";
import { useSite } from "../session/site.ts";
import { useViewer } from "../session/viewer.ts";
import "../blogs/article/article.css";

const DraftNote = onDemand(() => import("./draft-note.tsx"));
const Updates = onDemand(updates);
const FirstComments = onDemand(() => import("../comments/first-comments.tsx"));
const CurrentHeading = onDemand(() => import("../blogs/article/current-heading.ts"));
const LinkedCards = onDemand(() => import("../blogs/article/linked/linked-cards.ts"));
const ContinueReading = onDemand(() => import("../blogs/article/place/continue-reading.tsx"));
const End = onDemand(() => import("../blogs/article/end/end.tsx"));

export async function loader({ params, url, data }: PageRequest): Promise<PageFacts> {
  const slug = params.slug ?? "";
  const blog = await data.blogs.bySlug.fetch({ slug });
  if (blog.slug !== slug) throw redirect(addressOf(blog, params.entry) + url.search + url.hash, 301);
  // The article is useful without its comments; their section shows the failure and a retry.
  const comments = data.comments.list.fetch({ blogId: blog.id }).catch(() => undefined);
  const isLive = blog.live !== null || params.entry !== undefined;
  const live = isLive && (await livePage()).loadLivePage(blog, params.entry, data);
  const [facts] = await Promise.all([live, comments, code(url)]);
  return { ...articleFacts(blog), ...facts };
}

const livePage = codeLoader(() => import("./live-blog.ts"));

const addressOf = ({ slug }: Blog, entryId: string | undefined): string =>
  entryId === undefined ? routes.blog(slug) : routes.entry(slug, entryId);

function articleFacts(blog: Blog): PageFacts {
  return {
    title: blog.searchTitle || blog.title,
    description: blog.searchDescription || blog.description || blog.excerpt,
    canonical: blog.canonicalUrl || routes.blog(blog.slug),
    topics: [`blog:${blog.id}`],
  };
}

/** Follows changes of the title and the slug. */
function useAddress(blog: Blog): void {
  const site = useSite();
  const navigate = useNavigate();
  const { slug = "", entry } = useParams();
  useEffect(() => {
    // An entry's address keeps the head that it came with.
    if (entry === undefined) updateHead(articleFacts(blog), site);
  }, [blog, site, entry]);
  const address = addressOf(blog, entry);
  useEffect(() => {
    if (blog.slug !== slug) void navigate(address + location.hash, { replace: true });
  }, [blog.slug, slug, address, navigate]);
}

/** Fetches the comments' code as soon as the pointer is on their button; the click reports a failure. */
const prepareComments = (): void => void loadComments().catch(() => {});

export const code = ({ search }: URL | Location): unknown =>
  Promise.all([hasComments(search) && loadComments(), hasEntries() && loadEntries()]);

/** Whether the page from the server shows a live blog. */
const hasEntries = (): boolean =>
  typeof document !== "undefined" && document.getElementById(entriesId) !== null;

/** Without scripts `?comments` shows them. */
const hasComments = (search: string): boolean => new URLSearchParams(search).has("comments");

/** A blog while it can be read. Once it cannot, it leaves the page and the cache at once; it may come back. */
export default function BlogPage() {
  const { slug = "" } = useParams();
  const { data } = trpc.blogs.bySlug.useQuery({ slug });
  const blog: CachedArticle | undefined = data;
  const id = blog?.id ?? "";
  const isOpen = blog && !blog.gone;
  const next = isOpen ? undefined : pageAfterDeletion.get(id);
  const navigate = useNavigate();
  useEffect(() => () => void pageAfterDeletion.delete(id), [id]);
  useEffect(() => {
    if (next) void navigate(next, { replace: true });
  }, [next, navigate]);
  if (isOpen) return <OpenBlog key={id} blog={blog} />;
  return next ? null : <BlogGone blogId={id} />;
}

function OpenBlog({ blog }: { blog: Blog }) {
  const viewer = useViewer();
  const comments = useOpenComments(blog.slug, blog.live?.ended === null);
  const { data: list } = trpc.comments.list.useQuery({ blogId: blog.id });
  // Later changes of the author are applied to the rendered text.
  const [{ html: rendered, contents }] = useState(blog);
  useAddress(blog);
  useSelectedBlog(blog, list);
  // Only the comment section's code keeps the list current.
  const total = comments.stage === "open" && list ? list.total : blog.commentsCount;
  // No Suspense around server-rendered comments: React would hydrate it later, when live events may have changed it.
  const isDrawn = useState(!useHydrated())[0];
  const section = (
    <LazyCommentsSection blog={blog} marked={comments.marked} onShown={comments.onSectionShown} />
  );
  const placeholder = <CommentsWaiting total={total} onShown={comments.onPlaceholderShown} />;

  return (
    <div className="page article-page">
      <article
        className="article h-entry"
        data-item
        data-minutes={blog.readingMinutes}
        aria-label={blog.title}
      >
        <ArticleHead blog={blog}>
          <BlogPresence blog={blog} />
          {blog.html !== rendered && <Updates blog={blog} rendered={rendered} />}
        </ArticleHead>
        {(blog.scheduled ?? blog.takedownReason) != null && <DraftNote blog={blog} />}
        {blog.cover && <ArticleCover cover={blog.cover} />}
        <ArticleContents html={contents} />
        {contents && <CurrentHeading />}
        {viewer?.showPresence && blog.readingMinutes > 2 && !blog.draft && (
          <ContinueReading blogId={blog.id} />
        )}
        {blog.html.includes("data-blog=") && <LinkedCards />}
        <ArticleText html={rendered} language={blog.language} />
        {blog.live && <Entries blog={blog} live={blog.live} onReply={comments.open} />}
        <ArticleTags tags={blog.tags} />
        {/* A draft has no readers who could like, save or answer it. */}
        {!blog.draft && (
          <ArticleBar
            blog={blog}
            commentsCount={total}
            onComments={comments.open}
            onCommentsNear={prepareComments}
          />
        )}
      </article>
      {comments.stage === "coming" && placeholder}
      {comments.stage === "open" &&
        (isDrawn ? section : <Suspense fallback={placeholder}>{section}</Suspense>)}
      {!blog.draft && (
        <WhenNear>
          <End blog={blog}>
            {comments.stage === "closed" && (
              <FirstComments blog={blog} onOpen={comments.open} onWrite={comments.write} />
            )}
          </End>
        </WhenNear>
      )}
    </div>
  );
}

/** The entries of a live blog. Without Suspense if the server rendered them, as with comments above. */
function Entries(props: { blog: Blog; live: LiveState; onReply: () => void }) {
  const { entry } = useParams();
  const isDrawn = useState(!useHydrated())[0];
  const section = <LazyEntriesSection {...props} linkedId={entry} />;
  return isDrawn ? section : <Suspense fallback={null}>{section}</Suspense>;
}

/** History entries with open comments, so that going back finds them open. */
const openEntries = new Set<string>();

/** While "coming", the code loads and a placeholder is shown. */
type Stage = "closed" | "coming" | "open";

/** What has the focus once the comments are open; null if nobody asked for them. */
type Target = "title" | "field" | null;

/** Comments are opened by their button, a link to one of them, or `?comments` without scripts. */
function useOpenComments(
  slug: string,
  isOnAir: boolean,
): {
  stage: Stage;
  marked: string | undefined;
  open: () => void;
  /** Opens them with the focus in the field, if the viewer can comment. */
  write: () => void;
  onPlaceholderShown: () => void;
  onSectionShown: () => void;
} {
  const { search, hash, key } = useLocation();
  const [stage, setStage] = useState<Stage>(() =>
    hasComments(search) || openEntries.has(key) ? "open" : "closed",
  );
  const requested = useRef<Target>(null);
  /** The focused element when the reader was scrolled to the placeholder. */
  const focusedBefore = useRef<Element>(null);
  // After the first render: the server does not know the fragment.
  useEffect(() => {
    if (hash !== "#comments" && !hash.startsWith("#comment-")) return;
    requested.current = hash === "#comments" ? "title" : null;
    openComments(setStage, null);
  }, [hash]);
  // Beside the entries in a wide window (entries/entries.css). Only at first: later, everything would move.
  const [isFirstOnAir] = useState(isOnAir);
  useEffect(() => {
    if (isFirstOnAir && matchMedia("(min-width: 80rem)").matches) openComments(setStage, null);
  }, [isFirstOnAir]);
  useEffect(() => {
    if (stage === "open") openEntries.add(key);
  }, [stage, key]);
  const open = (target: NonNullable<Target>) => {
    requested.current = target;
    if (stage === "closed")
      openComments(setStage, () => location.assign(`${routes.blog(slug)}?comments=open#comments`));
    else if (stage === "coming") scrollToComments();
    else showComments(target);
  };
  return {
    stage,
    marked: hash.startsWith("#comment-") ? hash.slice("#comment-".length) : undefined,
    open: () => open("title"),
    write: () => open("field"),
    onPlaceholderShown: () => {
      if (!requested.current) return;
      focusedBefore.current = document.activeElement;
      scrollToComments();
    },
    // A reader scrolled to the placeholder is not scrolled again, and may have moved on.
    onSectionShown: () => {
      if (!requested.current) return;
      if (!focusedBefore.current) showComments(requested.current);
      else if (document.activeElement === focusedBefore.current) focusComments(requested.current);
    },
  };
}

/**
 * Opens the comments once their code is loaded. If it cannot be loaded, Retry loads a server-rendered page, which needs none.
 */
function openComments(setStage: Dispatch<SetStateAction<Stage>>, retry: (() => void) | null): void {
  setStage((stage) => (stage === "open" ? stage : "coming"));
  const setLoadedStage = (next: Stage): void => setStage((stage) => (stage === "open" ? stage : next));
  loadComments().then(
    () => setLoadedStage("open"),
    () => {
      setLoadedStage("closed");
      if (retry)
        toast({
          kind: "error",
          message: "We couldn’t load the comments.",
          action: { label: "Retry", run: retry },
        });
    },
  );
}

function showComments(target: Target): void {
  scrollToComments();
  focusComments(target);
}

function scrollToComments(): void {
  const isMotionReduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
  document
    .getElementById("comments")
    ?.scrollIntoView({ block: "start", behavior: isMotionReduced ? "instant" : "smooth" });
}

function focusComments(target: Target): void {
  const field =
    target === "field" && document.querySelector<HTMLElement>("#comments > .comment-form textarea");
  (field || document.getElementById("comments-title"))?.focus({ preventScroll: true });
}

function BlogGone({ blogId }: { blogId: string }) {
  const queryClient = useQueryClient();
  useTitle("Not found");
  // Removed from the cache, too; fetched again when the blog is back.
  useEffect(
    () =>
      queryClient.removeQueries({
        queryKey: getQueryKey(trpc.comments.list, { blogId }, "query"),
        type: "inactive",
      }),
    [queryClient, blogId],
  );
  return (
    <div className="page" role="status">
      <EmptyState
        title="This blog is no longer available"
        action={<LinkButton to={routes.home()}>Read something else</LinkButton>}
      >
        The author deleted it or made it private.
      </EmptyState>
    </div>
  );
}
