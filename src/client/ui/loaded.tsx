import type { ReactNode } from "react";
import { messages } from "../../shared/errors.ts";
import { Button } from "./button.tsx";
import { ListFailure } from "./list-failure.tsx";
import { Loading, Skeleton } from "./skeleton.tsx";

export interface LoadedProps<Answer> {
  /** What a query knows so far. */
  asked: { data: Answer | undefined; error: unknown; refetch: () => unknown };
  /** What is being loaded, as in “Loading reports”. */
  what: string;
  /** Its shape, until it is there. */
  waiting?: ReactNode;
  /** What is said where it could not be loaded. */
  failure?: string;
  /** Within other content, where a failure is one line. */
  isInline?: boolean;
  children: (data: Answer) => ReactNode;
}

/** A part of a page once its answer is there; until then that it is on its way, or that it could not be loaded. */
export function Loaded<Answer>({
  asked: { data, error, refetch },
  what,
  waiting,
  failure = messages.dataLoad,
  isInline,
  children,
}: LoadedProps<Answer>) {
  if (data) return children(data);
  if (!error) return <Loading label={`Loading ${what}`}>{waiting ?? <Skeleton width="14rem" />}</Loading>;
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
