import type { Profile } from "../../shared/users.ts";
import { EmptyState } from "../ui/empty.tsx";
import { FollowButton } from "./follow-button.tsx";

/** A private account, shown to people who do not follow it. */
export function ClosedAccount({ profile, title }: { profile: Profile; title: string }) {
  const { name, follow } = profile;
  // The request was accepted; the content is being fetched.
  if (follow === "following") return null;
  return (
    <EmptyState
      title={title}
      action={<FollowButton person={profile} status={follow} asksFirst labels={labels} />}
    >
      {follow === "requested" ? (
        <>
          You asked to follow <bdi>{name}</bdi>. You’ll see everything here once they accept.
        </>
      ) : (
        <>
          Ask to follow <bdi>{name}</bdi>. Once they accept, you can read their blogs.
        </>
      )}
    </EmptyState>
  );
}

const labels = { follow: "Ask to follow", requested: "Cancel request" };
