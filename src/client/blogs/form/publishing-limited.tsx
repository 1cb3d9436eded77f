import { routes } from "../../../shared/routes.ts";
import { LinkButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty.tsx";

/** Shown in place of the editor to members who may not publish. */
export function PublishingLimited() {
  return (
    <EmptyState
      title="Publishing is limited to approved writers on this site"
      action={<LinkButton to={routes.home()}>Find something to read</LinkButton>}
    >
      You can read, comment and like. Your existing blogs stay, and you can delete them.
    </EmptyState>
  );
}
