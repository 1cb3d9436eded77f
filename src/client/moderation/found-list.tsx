import type { ReactNode } from "react";
import { Form } from "react-router-dom";
import { Button, LinkButton } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { StaffList } from "./staff-list.tsx";

export interface StaffSearch {
  query: string;
  by: string;
  after: string;
}
export const staffSearchIn = (search: URLSearchParams): StaffSearch => ({
  query: (search.get("q") ?? "").slice(0, 200),
  by: (search.get("by") ?? "").slice(0, 200),
  after: (search.get("after") ?? "").slice(0, 100),
});

interface Props<Row, Answer> {
  action: string;
  filter: StaffSearch;
  /** Other parameters of the address. */
  parameters?: Record<string, string>;
  more?: ReactNode;
  what: string;
  result: { data: Answer | undefined; error: unknown; refetch: () => unknown };
  rows: (data: Answer) => readonly Row[];
  children: (row: Row) => ReactNode;
}

/** A list searched by words and author, newest first, paged by a cursor. */
export function FoundList<Row, Answer extends { after: string | null }>({
  action,
  filter: { query, by, after },
  parameters = {},
  more,
  what,
  result,
  rows,
  children,
}: Props<Row, Answer>) {
  const olderCursor = result.data?.after;
  const hasFilter = query !== "" || by !== "";
  const addressAt = (cursor: string): string => {
    const search = { ...(query ? { q: query } : {}), ...(by ? { by } : {}), ...parameters };
    return `${action}?${new URLSearchParams({ ...search, ...(cursor ? { after: cursor } : {}) })}`;
  };
  return (
    <>
      <Form className="staff-search" action={action} key={`${query} ${by} ${JSON.stringify(parameters)}`}>
        <TextField type="search" name="q" label="Text contains" defaultValue={query} />
        <TextField
          type="search"
          name="by"
          label="Written by"
          placeholder="Name or @username"
          defaultValue={by}
        />
        {more}
        <Button type="submit">Find</Button>
      </Form>
      <StaffList
        query={result}
        noun={what}
        rows={rows}
        empty={
          olderCursor
            ? {
                title: "No results so far",
                text: "Choose “Older” to search further back.",
              }
            : {
                title: after ? `No older ${what}` : hasFilter ? "No results" : `No ${what}`,
              }
        }
      >
        {children}
      </StaffList>
      {(after || olderCursor) && (
        <nav className="staff-older" aria-label="Older and newer">
          {after && <LinkButton to={addressAt("")}>Newest</LinkButton>}
          {olderCursor && <LinkButton to={addressAt(olderCursor)}>Older</LinkButton>}
        </nav>
      )}
    </>
  );
}
