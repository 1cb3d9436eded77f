import { messages } from "../../shared/errors.ts";
import { errorMessage } from "../api/errors.ts";
import { Button } from "./button.tsx";

/** Says that a part of a page could not be loaded, with a button that tries it again. */
export const LoadFailure = ({ error, onRetry }: { error: unknown; onRetry: () => unknown }) => (
  <div className="note" role="alert">
    <p>{errorMessage(error, messages.dataFetch)}</p>
    <Button size="s" onClick={() => void onRetry()}>
      Retry
    </Button>
  </div>
);
