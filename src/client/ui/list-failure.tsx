import { Button } from "./button.tsx";
import { EmptyState } from "./empty.tsx";
import { Icon } from "./icon.tsx";

/** Shown in place of a list that failed to load (docs/specification.md, 8.4). */
export function ListFailure({ retry, title }: { retry: () => void; title: string }) {
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
