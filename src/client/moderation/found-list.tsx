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
  asked: StaffSearch;
  /** Other parameters of the address. */
  keep?: Record<string, string>;
  more?: ReactNode;
  what: string;
  found: { data: Answer | undefined; error: unknown; refetch: () => unknown };
  rows: (data: Answer) => readonly Row[];
  children: (row: Row) => ReactNode;
}

/** A list searched by words and author, newest first, paged by a cursor. */
export function FoundList<Row, Answer extends { after: string | null }>({
  action,
  asked: { query, by, after },
  keep = {},
  more,
  what,
  found,
  rows,
  children,
}: Props<Row, Answer>) {
  const older = found.data?.after;
  const isAny = query !== "" || by !== "";
  const at = (place: string): string => {
    const given = { ...(query ? { q: query } : {}), ...(by ? { by } : {}), ...keep };
    return `${action}?${new URLSearchParams({ ...given, ...(place ? { after: place } : {}) })}`;
  };
  return (
    <>
      <Form className="staff-search" action={action} key={`${query} ${by} ${JSON.stringify(keep)}`}>
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
        asked={found}
        what={what}
        rows={rows}
        empty={
          older
            ? {
                title: "No results so far",
                text: "Choose “Older” to search further back.",
              }
            : {
                title: after ? `No older ${what}` : isAny ? "No results" : `No ${what}`,
              }
        }
      >
        {children}
      </StaffList>
      {(after || older) && (
        <nav className="staff-older" aria-label="Older and newer">
          {after && <LinkButton to={at("")}>Newest</LinkButton>}
          {older && <LinkButton to={at(older)}>Older</LinkButton>}
        </nav>
      )}
    </>
  );
}
