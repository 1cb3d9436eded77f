import { Form } from "react-router-dom";
import type { Pages } from "../../shared/feed.ts";
import { Icon } from "./icon.tsx";
import { LinkButton } from "./button.tsx";
import { EmptyState } from "./empty.tsx";
import "./page-parts.css";

interface Props {
  /** The list's address without the page, and its other parameters. */
  action: string;
  parameters?: Record<string, string>;
  page: number;
  /** The number of pages, where known. */
  pages?: Pages;
  hasMore: boolean;
}

/** Returns "Page 2 of 24". `hasMore` takes precedence over the count. */
export function pageText({ page, pages, hasMore }: Pick<Props, "page" | "pages" | "hasMore">): string {
  if (!pages || page > pages.count || (pages.more && page === pages.count)) return `Page ${page}`;
  if (pages.more) return `Page ${page} of more than ${pages.count}`;
  return `Page ${page} of ${hasMore ? Math.max(pages.count, page + 1) : page}`;
}

/** The arrows below a list. Forms, so that they work without scripts. */
export function Pager({ action, parameters = {}, page, pages, hasMore }: Props) {
  if (page === 1 && !hasMore) return null;
  const arrow = (to: number, label: string, icon: "chevron-left" | "chevron-right", enabled: boolean) => (
    <Form method="get" action={action}>
      {Object.entries(parameters).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {to > 1 && <input type="hidden" name="page" value={to} />}
      <button
        type="submit"
        className="stack center hover-sunk round pager-arrow"
        aria-label={label}
        disabled={!enabled}
      >
        <Icon name={icon} />
      </button>
    </Form>
  );
  return (
    <nav className="row center gap-4 note hairline-top pager" aria-label="Pages">
      {arrow(page - 1, "Previous page", "chevron-left", page > 1)}
      <span className="tabular" aria-current="page">
        {pageText({ page, pages, hasMore })}
      </span>
      {arrow(page + 1, "Next page", "chevron-right", hasMore)}
    </nav>
  );
}

/** Shown in place of a page beyond the list's end. `first` is the first page's address. */
export const NoSuchPage = ({ page, first }: { page: number; first: string }) => (
  <EmptyState title="Page not found" action={<LinkButton to={first}>Go to the first page</LinkButton>}>
    The list ends before page {page}.
  </EmptyState>
);
