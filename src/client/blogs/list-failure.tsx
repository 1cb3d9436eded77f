import { messages } from "../../shared/errors.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty.tsx";
import { Icon } from "../ui/icon.tsx";

/** What stands in the place of a list that could not be loaded (specification, 8). */
export function ListFailure({ retry }: { retry: () => void }) {
  return (
    <div role="alert">
      <EmptyState
        title={messages.dataFetch}
        action={
          <Button onClick={retry}>
            <Icon name="retry" /> Retry
          </Button>
        }
      >
        The server did not answer. It may in a moment.
      </EmptyState>
    </div>
  );
}
