import type { ReactNode } from "react";
import { messages } from "../../shared/errors.ts";
import { LinkButton } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty.tsx";
import { ListFailure } from "../ui/list-failure.tsx";
import { Pager } from "../ui/pager.tsx";
import { Loading, Skeleton } from "../ui/skeleton.tsx";

/** What a query knows so far. */
interface Asked<Answer> {
  data: Answer | undefined;
  error: unknown;
  refetch: () => unknown;
}

interface LoadedProps<Answer> {
  asked: Asked<Answer>;
  /** What is being loaded, as in “Loading reports”. */
  what: string;
  waiting?: ReactNode;
  children: (data: Answer) => ReactNode;
}

/** A part of `/admin` once its answer is there; until then that it is on its way, or that it could not be loaded. */
export function Loaded<Answer>({ asked, what, waiting, children }: LoadedProps<Answer>) {
  const { data, error, refetch } = asked;
  if (data) return children(data);
  if (error) return <ListFailure title={messages.dataLoad} retry={() => void refetch()} />;
  return <Loading label={`Loading ${what}`}>{waiting ?? <Skeleton width="16rem" />}</Loading>;
}

interface ListProps<Row, Answer> extends Omit<LoadedProps<Answer>, "children"> {
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
            <EmptyState
              title="There is no such page"
              action={<LinkButton href={pages.action}>To the first page</LinkButton>}
            />
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
