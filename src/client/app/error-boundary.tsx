import { Component } from "react";
import type { ReactNode } from "react";
// Not loaded on demand: what it tells of is often the network.
import ErrorPage from "../pages/error-page.tsx";

/** Catches what a page's components throw; the frame around them stays usable. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true };
  }

  override render(): ReactNode {
    // What broke it breaks it again: only a document of its own may help.
    return this.state.broken ? <ErrorPage retry={() => location.reload()} /> : this.props.children;
  }
}
