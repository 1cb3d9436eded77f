import { routes } from "../../../shared/routes.ts";
import { LinkButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty.tsx";

/** What stands in place of the editor for whoever may not write here. */
export function MayNotWrite() {
  return (
    <EmptyState
      title="Writing is for those whom the administrators let"
      action={<LinkButton to={routes.home()}>Find something to read</LinkButton>}
    >
      You can read, comment and like. What you wrote before stays, and is yours to delete.
    </EmptyState>
  );
}
