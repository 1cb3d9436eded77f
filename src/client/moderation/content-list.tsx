import type { ReactNode } from "react";
import { Form } from "react-router-dom";
import { pageInQuery } from "../../shared/paging.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { StaffList } from "./staff-list.tsx";

export interface ContentFilter {
  by: string;
  page: number;
}
export const contentFilterIn = (search: URLSearchParams): ContentFilter => ({
  by: (search.get("by") ?? "").slice(0, 200),
  page: pageInQuery(search),
});

interface Props<Row, Answer> {
  action: string;
  filter: ContentFilter;
  /** Other parameters of the address. */
  parameters?: Record<string, string>;
  more?: ReactNode;
  what: string;
  result: { data: Answer | undefined; error: unknown; refetch: () => unknown };
  rows: (data: Answer) => readonly Row[];
  children: (row: Row) => ReactNode;
}

/** The staff page with what a person wrote: moderators cannot open the pages of limited and suspended people. */
export const contentAddress = (list: "blogs" | "comments", { username }: { username: string }): string =>
  `/admin/${list}?by=${encodeURIComponent(`@${username}`)}`;

/** Lists what everyone or one person wrote, newest first. */
export function ContentList<Row, Answer extends { hasMore: boolean }>({
  action,
  filter: { by, page },
  parameters = {},
  more,
  what,
  result,
  rows,
  children,
}: Props<Row, Answer>) {
  return (
    <>
      <Form
        className="row wrap gap-3 staff-search"
        action={action}
        key={`${by} ${JSON.stringify(parameters)}`}
      >
        <TextField type="search" name="by" label="Written by" placeholder="@username" defaultValue={by} />
        {more}
        <Button type="submit">Show</Button>
      </Form>
      <StaffList
        query={result}
        noun={what}
        rows={rows}
        empty={
          by
            ? {
                title: `No ${what} by ${by}`,
                text: "Enter a whole username. People has a search for parts of names.",
              }
            : { title: `No ${what}` }
        }
        pages={{ action, parameters: { ...(by ? { by } : {}), ...parameters }, page }}
      >
        {children}
      </StaffList>
    </>
  );
}
