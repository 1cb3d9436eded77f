import type { ReactNode } from "react";
import { EmptyState } from "../ui/empty.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import type { QueryResultProps } from "../ui/query-result.tsx";
import { NoSuchPage, Pager } from "../ui/pager.tsx";

interface ListProps<Row, Answer> extends Omit<QueryResultProps<Answer>, "children" | "isInline"> {
  rows: (data: Answer) => readonly Row[];
  empty: { title: string; text?: string };
  /** Of a paged list: its address, other parameters, and the page. */
  pages?: { action: string; parameters?: Record<string, string>; page: number };
  /** Renders a row, as an `li`. */
  children: (row: Row) => ReactNode;
}

/** A list of `/admin` with its loading, failure and empty states and its pager. */
export function StaffList<Row, Answer>({
  query: listQuery,
  noun,
  fallback,
  rows,
  empty,
  pages,
  children,
}: ListProps<Row, Answer>) {
  return (
    <>
      <QueryResult query={listQuery} noun={noun} fallback={fallback}>
        {(data) =>
          rows(data).length > 0 ? (
            <ul className="list staff-list">{rows(data).map(children)}</ul>
          ) : pages && pages.page > 1 ? (
            <NoSuchPage page={pages.page} first={pages.action} />
          ) : (
            <EmptyState title={empty.title}>{empty.text}</EmptyState>
          )
        }
      </QueryResult>
      {pages && (
        <Pager {...pages} hasMore={(listQuery.data as { hasMore?: boolean } | undefined)?.hasMore ?? false} />
      )}
    </>
  );
}
