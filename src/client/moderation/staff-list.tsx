import type { ReactNode } from "react";
import { EmptyState } from "../ui/empty.tsx";
import { Loaded } from "../ui/loaded.tsx";
import type { LoadedProps } from "../ui/loaded.tsx";
import { NoSuchPage } from "../ui/no-such-page.tsx";
import { Pager } from "../ui/pager.tsx";

interface ListProps<Row, Answer> extends Omit<LoadedProps<Answer>, "children" | "isInline"> {
  rows: (data: Answer) => readonly Row[];
  /** What stands where there are none. */
  empty: { title: string; text?: string };
  /** Where the list has pages: its address, what else stays in it, and the page. */
  pages?: { action: string; keep?: Record<string, string>; page: number };
  /** A row, as an `li`. */
  children: (row: Row) => ReactNode;
}

/** A list of `/admin` with all that can be there instead, and its arrows. */
export function StaffList<Row, Answer>({
  asked,
  what,
  waiting,
  rows,
  empty,
  pages,
  children,
}: ListProps<Row, Answer>) {
  return (
    <>
      <Loaded asked={asked} what={what} waiting={waiting}>
        {(data) =>
          rows(data).length > 0 ? (
            <ul className="staff-list">{rows(data).map(children)}</ul>
          ) : pages && pages.page > 1 ? (
            <NoSuchPage page={pages.page} first={pages.action} />
          ) : (
            <EmptyState title={empty.title}>{empty.text}</EmptyState>
          )
        }
      </Loaded>
      {pages && (
        <Pager {...pages} hasMore={(asked.data as { hasMore?: boolean } | undefined)?.hasMore ?? false} />
      )}
    </>
  );
}
