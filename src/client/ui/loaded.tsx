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
  /** What stands there meanwhile. */
  waiting?: ReactNode;
  /** Within a page of settings, where a failure is one line. */
  isSetting?: boolean;
  children: (data: Answer) => ReactNode;
}

/** A part of a page once its answer is there; until then that it is on its way, or that it could not be loaded. */
export function Loaded<Answer>({ asked, what, waiting, isSetting, children }: LoadedProps<Answer>) {
  const { data, error, refetch } = asked;
  if (data) return children(data);
  if (!error) return <Loading label={`Loading ${what}`}>{waiting ?? <Skeleton width="14rem" />}</Loading>;
  const retry = () => void refetch();
  if (!isSetting) return <ListFailure title={messages.dataLoad} retry={retry} />;
  return (
    <p className="settings-text" role="alert">
      {messages.dataLoad}{" "}
      <Button size="s" onClick={retry}>
        Retry
      </Button>
    </p>
  );
}
