import { LinkButton } from "./button.tsx";
import { EmptyState } from "./empty.tsx";

/** In place of a list that ends before the page that was asked for. `first` is the address of its first page. */
export const NoSuchPage = ({ page, first }: { page: number; first: string }) => (
  <EmptyState title="There is no such page" action={<LinkButton to={first}>To the first page</LinkButton>}>
    The list ends before page {page}.
  </EmptyState>
);
