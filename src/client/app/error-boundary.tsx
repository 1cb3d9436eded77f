import { Component, lazy, Suspense } from "react";
import type { ReactNode } from "react";

const ErrorPage = lazy(() => import("../pages/error-page.tsx"));

/** Catches what a page's components throw; the frame around them stays usable. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true };
  }

  override render(): ReactNode {
    if (!this.state.broken) return this.props.children;
    return (
      <Suspense>
        <ErrorPage />
      </Suspense>
    );
  }
}
