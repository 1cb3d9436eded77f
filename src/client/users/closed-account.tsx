import type { Profile } from "../../shared/users.ts";
import { EmptyState } from "../ui/empty.tsx";
import { FollowButton } from "./follow-button.tsx";

/** What a private account says to those who do not follow it: what they can do. */
export function ClosedAccount({ profile, title }: { profile: Profile; title: string }) {
  const { name, follow } = profile;
  // They have accepted: what is there is on its way.
  if (follow === "following") return null;
  return (
    <EmptyState
      title={title}
      action={<FollowButton person={profile} status={follow} asksFirst words={words} />}
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

const words = { follow: "Ask to follow", requested: "Cancel request" };
