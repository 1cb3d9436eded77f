import { Button } from "../ui/button.tsx";
import { readNotices } from "./news-acts.ts";
import { useDo } from "../live/use-do.ts";

/** Takes the mark from every notice. */
export function ReadAll() {
  const act = useDo();
  return (
    <Button kind="quiet" size="s" onClick={() => void act(readNotices, { only: null })}>
      Mark all read
    </Button>
  );
}
