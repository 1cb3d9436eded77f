import { useEffect, useEffectEvent, useMemo, useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import type { BlogPage } from "../../shared/blogs.ts";
import type { EntryList, EntryOrder, LiveState, ViewerEntry } from "../../shared/entries.ts";
import { messages } from "../../shared/errors.ts";
import { trpc } from "../api/trpc.ts";
import { mutate, usePendingMutations } from "../live/live.ts";
import type { PendingMutation } from "../live/mutations/optimistic-mutations.ts";
import { showFailure } from "../session/failure.ts";
import { useViewer } from "../session/viewer.ts";
import { ScrollAnchor } from "../ui/arrivals/scroll-anchor.tsx";
import { useSlideIn } from "../ui/arrivals/use-arrival-queue.ts";
import { Button } from "../ui/button.tsx";
import { confirm } from "../ui/confirm.tsx";
import { Icon } from "../ui/icon.tsx";
import { onDemand } from "../ui/on-demand.tsx";
import { LoadFailure } from "../ui/load-failure.tsx";
import { Loading, Skeleton } from "../ui/skeleton.tsx";
import { toastWithUndo } from "../ui/toasts.tsx";
import { anchoredList, entryElementId, headId, listId, showEntryElement } from "./elements.ts";
import { EntriesHead } from "./entries-head.tsx";
import { restoreEntry, withdrawEntry } from "./entry-mutations.ts";
import { EntryRow } from "./entry-row.tsx";
import type { EntryActions } from "./entry-row.tsx";
import { sectionId } from "./lazy-section.ts";
import { loadMore, loadUntil } from "./load-entries.ts";
import { LinkedEntry } from "./linked-entry.tsx";
import { useReply } from "./use-reply.ts";
import { useEntryArrivals } from "./use-entry-arrivals.ts";
import type { EntryArrivals } from "./use-entry-arrivals.ts";
import { useOrder } from "./use-order.ts";
import "./entry-queries.ts";
import "../ui/live-mark.css";
import "./entries.css";

const Composer = onDemand(() => import("./composer.tsx"));
const EntryEditor = onDemand(() => import("./entry-editor.tsx"));

interface Props {
  blog: BlogPage;
  live: LiveState;
  /** The entry that the address names. */
  linkedId: string | undefined;
  /** Opens the comments. */
  onReply: () => void;
}

/** The entries of a live blog, below its introduction; for its writers with the composer above them. */
export function EntriesSection({ blog, live, linkedId, onReply }: Props) {
  const [order, setOrder] = useOrder(live);
  const { data: list, error, refetch } = trpc.blogs.entries.useQuery({ blogId: blog.id, order });
  const arrivals = useEntryArrivals(blog.id, order, list);
  const actions = useEntryActions();
  const isOnAir = live.ended === null;
  const { show, isLoading } = useShowEntry(blog.id, order, list, arrivals);
  const waiting = list?.entries.find(({ id }) => arrivals.waiting.has(id));
  const showWaiting = (): void => {
    const first = arrivals.show()[0];
    // After React has rendered them and ScrollAnchor has kept the scroll position.
    if (order === "oldest" && first) show(first);
    else requestAnimationFrame(() => document.getElementById(headId)?.scrollIntoView({ block: "start" }));
  };
  const reply = useReply(blog, onReply);
  return (
    <section className="entries stack gap-4" id={sectionId} aria-labelledby={headId}>
      {linkedId !== undefined && (
        <LinkedEntry key={linkedId} id={linkedId} blog={blog} onReply={reply} onShow={show} />
      )}
      <EntriesHead blog={blog} live={live} list={list} order={order} onOrder={setOrder} onKey={show}>
        {isOnAir && blog.writes && <Composer blog={blog} onShow={show} />}
      </EntriesHead>
      {/* Always rendered, without height, so that nothing moves. */}
      <div className="entries-waiting afloat">
        <span role="status">{isLoading && <span className="pill">Loading…</span>}</span>
        {!isLoading && arrivals.onRequest > 0 && (
          <button type="button" className="pill" onClick={showWaiting}>
            <Icon name={order === "newest" ? "arrow-up" : "chevron-down"} size={16} />
            <span className="clip" dir="auto">
              {arrivals.onRequest.toLocaleString("en")} new{waiting && `: ${waiting.headline}`}
            </span>
          </button>
        )}
      </div>
      {list ? (
        <Entries
          blog={blog}
          list={list}
          order={order}
          arrivals={arrivals}
          actions={actions}
          isOnAir={isOnAir}
          onReply={reply}
        />
      ) : error ? (
        <LoadFailure error={error} onRetry={refetch} />
      ) : (
        <Loading label="Loading entries">
          <Skeleton width="40%" />
          <Skeleton />
          <Skeleton width="80%" />
        </Loading>
      )}
      <div role="log" aria-label="New entries" className="visually-hidden">
        {arrivals.announced.map(({ id, headline }) => (
          <p key={id}>{headline}</p>
        ))}
      </div>
    </section>
  );
}

interface EntriesProps {
  blog: BlogPage;
  list: EntryList;
  order: EntryOrder;
  arrivals: EntryArrivals;
  actions: ReturnType<typeof useEntryActions>;
  isOnAir: boolean;
  onReply: ((entry: ViewerEntry) => void) | undefined;
}

function Entries({ blog, list, order, arrivals, actions, isOnAir, onReply }: EntriesProps) {
  const cache = trpc.useUtils();
  const navigate = useNavigate();
  const viewer = useViewer();
  const sending = useSending();
  const [isLoading, setLoading] = useState(false);
  const shown = useMemo(
    () => list.entries.filter(({ id }) => !arrivals.waiting.has(id)),
    [list, arrivals.waiting],
  );
  const { sliding } = arrivals;
  const slidesAt = sliding === null ? -1 : shown.findIndex(({ id }) => id === sliding);
  useSlideIn(sliding, (id) => [document.getElementById(entryElementId(id))].filter((row) => row !== null));
  const load = async (): Promise<void> => {
    setLoading(true);
    await loadMore(cache, blog.id, order).catch((error: unknown) =>
      showFailure(error, navigate, () => void load(), messages.dataFetch),
    );
    setLoading(false);
  };
  if (shown.length === 0 && !list.more)
    return (
      <p className="entries-empty lead muted">
        {isOnAir
          ? "Nothing yet. The first entry will appear here by itself."
          : "This live blog has no entries."}
      </p>
    );
  return (
    <>
      <ScrollAnchor
        slide={
          sliding !== null && slidesAt !== -1 ? { id: sliding, above: shown[slidesAt - 1]?.id ?? null } : null
        }
        of={anchoredList}
      >
        <ol id={listId} className="entry-list list">
          {shown.map((entry) => (
            <EntryRow
              key={entry.id}
              entry={entry}
              slug={blog.slug}
              language={blog.language}
              sending={sending.get(entry.id)}
              fresh={arrivals.fresh.has(entry.id)}
              onReply={onReply}
              form={
                actions.edited === entry.id ? (
                  <EntryEditor entry={entry} blog={blog} onClose={actions.leave} onFail={actions.leave} />
                ) : null
              }
              actions={
                blog.mine || (blog.writes && viewer !== null && entry.author?.id === viewer.id)
                  ? actions
                  : undefined
              }
            />
          ))}
        </ol>
      </ScrollAnchor>
      {list.more && (
        <p className="entries-more">
          <Button busy={isLoading} onClick={() => void load()}>
            {order === "newest" ? "Show older entries" : "Show later entries"}
          </Button>{" "}
          <span className="note tabular">
            {list.entries.length.toLocaleString("en")} of {list.total.toLocaleString("en")}
          </span>
        </p>
      )}
    </>
  );
}

/** The unanswered posts by id. */
function useSending(): ReadonlyMap<string, PendingMutation> {
  const pending = usePendingMutations();
  return useMemo(
    () =>
      new Map(
        pending
          .filter(({ name, state }) => name === "blogs.postEntry" && state !== "answered")
          .map((one) => [(one.input as { id: string }).id, one]),
      ),
    [pending],
  );
}

function useEntryActions(): EntryActions & { edited: string | null; leave: () => void } {
  const [edited, setEdited] = useState<string | null>(null);
  // What had the focus is gone with the form.
  useEffect(() => {
    if (edited === null) return;
    return () => focusIfLost(entryElementId(edited));
  }, [edited]);
  return useMemo(
    () => ({
      edited,
      edit: ({ id }: ViewerEntry) => setEdited(id),
      leave: () => setEdited(null),
      withdraw: (entry: ViewerEntry) => void askToWithdraw(entry),
    }),
    [edited],
  );
}

async function askToWithdraw(entry: ViewerEntry): Promise<void> {
  const isConfirmed = await confirm({
    title: "Withdraw this entry?",
    body: `Readers no longer see “${entry.headline}”.`,
    action: "Withdraw",
  });
  if (!isConfirmed) return;
  focusIfLost(headId);
  if (await mutate(withdrawEntry, entry))
    toastWithUndo("Entry withdrawn.", () => void mutate(restoreEntry, entry));
}

/** Focuses an element, once React has rendered, if nothing else has the focus then. */
const focusIfLost = (id: string): void =>
  void requestAnimationFrame(() => {
    if (document.activeElement === document.body) document.getElementById(id)?.focus({ preventScroll: true });
  });

/**
 * Returns a function that shows an entry, loading what is before it, and whether it does so now. Shows the entry that the address
 * names.
 */
function useShowEntry(
  blogId: string,
  order: EntryOrder,
  list: EntryList | undefined,
  arrivals: EntryArrivals,
): { show: (id: string) => void; isLoading: boolean } {
  const cache = trpc.useUtils();
  const navigate = useNavigate();
  const { hash } = useLocation();
  const isReady = list !== undefined;
  /** How many entries are being looked for. */
  const [loading, setLoading] = useState(0);
  const [wanted, setWanted] = useState<string | null>(null);
  const show = (id: string): void => {
    if (arrivals.waiting.has(id)) arrivals.show();
    setLoading((running) => running + 1);
    void loadUntil(cache, blogId, order, id)
      .then(
        (isFound) => setWanted(isFound ? id : null),
        (error: unknown) => showFailure(error, navigate, () => show(id), messages.dataFetch),
      )
      .finally(() => setLoading((running) => running - 1));
  };
  // Once it is rendered.
  useEffect(() => {
    if (wanted === null || !showEntryElement(wanted)) return;
    // oxlint-disable-next-line react-hooks-js/set-state-in-effect -- it is shown once
    setWanted(null);
  }, [wanted, list]);
  const showNamed = useEffectEvent(show);
  const named = hash.startsWith("#entry-") ? hash.slice("#entry-".length) : null;
  useEffect(() => {
    if (named && isReady) showNamed(named);
  }, [named, isReady]);
  return { show, isLoading: loading > 0 };
}
