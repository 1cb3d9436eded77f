import type { ReactNode } from "react";
import { messages } from "../../shared/errors.ts";
import { Button } from "./button.tsx";
import { Loading, Skeleton } from "./skeleton.tsx";
import { EmptyState } from "./empty.tsx";
import { Icon } from "./icon.tsx";

export interface QueryResultProps<Answer> {
  query: { data: Answer | undefined; error: unknown; refetch: () => unknown };
  /** The noun in “Loading reports”. */
  noun: string;
  /** Skeleton while loading. */
  fallback?: ReactNode;
  failure?: string;
  /** Shows a failure as one line. */
  isInline?: boolean;
  children: (data: Answer) => ReactNode;
}

/** Renders a query's data, or its loading or failure state. */
export function QueryResult<Answer>({
  query: { data, error, refetch },
  noun,
  fallback,
  failure = messages.dataLoad,
  isInline,
  children,
}: QueryResultProps<Answer>) {
  if (data) return children(data);
  if (!error) return <Loading label={`Loading ${noun}`}>{fallback ?? <Skeleton width="14rem" />}</Loading>;
  const retry = () => void refetch();
  if (!isInline) return <ListFailure title={failure} retry={retry} />;
  return (
    <p role="alert">
      {failure}{" "}
      <Button size="s" onClick={retry}>
        Retry
      </Button>
    </p>
  );
}

/** Shown in place of a list that failed to load (docs/specification.md, 8.4). */
function ListFailure({ retry, title }: { retry: () => void; title: string }) {
  return (
    <div role="alert">
      <EmptyState
        title={title}
        action={
          <Button onClick={retry}>
            <Icon name="retry" /> Retry
          </Button>
        }
      >
        We couldn’t load this. Try again in a moment.
      </EmptyState>
    </div>
  );
}
