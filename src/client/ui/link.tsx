import type { ReactNode, Ref } from "react";
import { Link as RouterLink } from "react-router-dom";
import type { LinkProps } from "react-router-dom";

interface Props extends Omit<LinkProps, "to" | "relative" | "viewTransition" | "discover" | "prefetch"> {
  /** An address of this site from its root. */
  to: string;
  ref?: Ref<HTMLAnchorElement>;
}

/** Draws the same element as the router's link, without its hooks. */
function DrawnLink({
  to,
  children,
  replace: _replace,
  state: _state,
  preventScrollReset: _reset,
  reloadDocument: _reload,
  ...props
}: Props) {
  return (
    <a {...props} href={to}>
      {children}
    </a>
  );
}

/**
 * A link to a page of this site. On the server it is a plain element: a page has some hundred links, the router's hooks in them cost
 * a fifth of its rendering, and an address from the root needs none.
 */
export const Link: (props: Props) => ReactNode = import.meta.env.SSR
  ? DrawnLink
  : (props) => <RouterLink discover="none" {...props} />;
