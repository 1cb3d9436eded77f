import { useState } from "react";
import type { MouseEvent, ReactNode } from "react";
import type { BlogPage } from "../../shared/blogs.ts";
import { entryOrders } from "../../shared/entries.ts";
import type { EntryList, EntryOrder, LiveState } from "../../shared/entries.ts";
import { routes } from "../../shared/routes.ts";
import { countText } from "../../shared/count-text.ts";
import { Link } from "../ui/link.tsx";
import { onDemand } from "../ui/on-demand.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { TimeText } from "./time-text.tsx";
import { headId } from "./elements.ts";
import { Star } from "./star.tsx";

const WriterActions = onDemand(() => import("./writer-actions.tsx"));

interface Props {
  blog: BlogPage;
  live: LiveState;
  list: EntryList | undefined;
  order: EntryOrder;
  onOrder: (order: EntryOrder) => void;
  /** Shows a key moment. */
  onKey: (id: string) => void;
  /** The composer. */
  children: ReactNode;
}

const orderNames: Record<EntryOrder, string> = { newest: "Newest first", oldest: "Oldest first" };

/** Whether the blog is on air, the summary, the key moments and the order of the entries. */
export function EntriesHead({ blog, live, list, order, onOrder, onKey, children }: Props) {
  const keys = list?.keys ?? [];
  // Known only where the newest entries are loaded.
  const newest =
    order === "newest" ? list?.entries[0]?.at : list?.more === null ? list.entries.at(-1)?.at : undefined;
  return (
    <header className="entries-head stack gap-4">
      <div className="row wrap between gap-2-4">
        <h2 id={headId} className="entries-state row wrap size-s" tabIndex={-1}>
          {live.ended === null ? (
            <>
              <span className="live-mark">Live</span>
              {newest && (
                <span className="muted">
                  Updated <RelativeTime at={newest} />
                </span>
              )}
            </>
          ) : (
            <span className="muted">
              {["Ended", durationText(live), list && countText(list.total, "entry", "entries")]
                .filter(Boolean)
                .join(" · ")}
            </span>
          )}
        </h2>
        {list && list.total > 1 && (
          <div className="entries-order row gap-1" role="group" aria-label="Order of the entries">
            {entryOrders.map((one) => (
              <button
                key={one}
                type="button"
                className="action"
                aria-pressed={order === one}
                onClick={() => onOrder(one)}
              >
                {orderNames[one]}
              </button>
            ))}
          </div>
        )}
      </div>
      {children}
      {blog.writes && <WriterActions blog={blog} live={live} />}
      {live.summary.length > 0 && (
        <section className="entries-summary stack gap-2" aria-label="Summary">
          <h3 className="size-s">Summary</h3>
          <ul dir="auto">
            {live.summary.map((point, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- two points may say the same
              <li key={at}>{point}</li>
            ))}
          </ul>
        </section>
      )}
      {keys.length > 0 && <KeyMoments slug={blog.slug} keys={keys} order={order} onKey={onKey} />}
    </header>
  );
}

/** The key moments that are listed at first. */
const fewKeys = 5;

interface KeyMomentsProps extends Pick<Props, "order" | "onKey"> {
  slug: string;
  keys: EntryList["keys"];
}

/** Links to the key moments, in the order of the entries. */
function KeyMoments({ slug, keys, order, onKey }: KeyMomentsProps) {
  const [hasAll, setAll] = useState(false);
  const ordered = order === "newest" ? keys.toReversed() : keys;
  const show = (event: MouseEvent, id: string): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onKey(id);
  };
  return (
    <nav className="entries-keys stack gap-1" aria-label="Key moments">
      <h3 className="size-s row gap-1">
        <Star /> Key moments
      </h3>
      <ol>
        {(hasAll ? ordered : ordered.slice(0, fewKeys)).map(({ id, at, headline }) => (
          <li key={id}>
            <Link to={routes.entry(slug, id)} onClick={(event) => show(event, id)}>
              <span className="tabular muted">
                <TimeText at={at} />
              </span>
              <span dir="auto">{headline}</span>
            </Link>
          </li>
        ))}
      </ol>
      {!hasAll && keys.length > fewKeys && (
        <p>
          <button type="button" className="action" onClick={() => setAll(true)}>
            Show all {keys.length.toLocaleString("en")}
          </button>
        </p>
      )}
    </nav>
  );
}

/** Returns how long it was on air: "4 h 12 min", "38 min". */
function durationText({ since, ended }: LiveState): string {
  const minutes = Math.max(1, Math.round((Date.parse(ended ?? since) - Date.parse(since)) / 60_000));
  const hours = Math.floor(minutes / 60);
  return [hours > 0 && `${hours.toLocaleString("en")} h`, `${minutes % 60} min`].filter(Boolean).join(" ");
}
