import { LinkButton } from "./button.tsx";
import { EmptyState } from "./empty.tsx";

/** Shown in place of a page beyond the list's end. `first` is the first page's address. */
export const NoSuchPage = ({ page, first }: { page: number; first: string }) => (
  <EmptyState title="Page not found" action={<LinkButton to={first}>Go to the first page</LinkButton>}>
    The list ends before page {page}.
  </EmptyState>
);
