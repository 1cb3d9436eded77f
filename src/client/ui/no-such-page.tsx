import { LinkButton } from "./button.tsx";
import { EmptyState } from "./empty.tsx";

/** In place of a list that ends before the page that was asked for. `first` is the address of its first page. */
export const NoSuchPage = ({ page, first }: { page: number; first: string }) => (
  <EmptyState title="Page not found" action={<LinkButton to={first}>Go to the first page</LinkButton>}>
    The list ends before page {page}.
  </EmptyState>
);
