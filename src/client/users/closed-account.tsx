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
          You have asked to follow <bdi>{name}</bdi>: once they accept, it is all here for you.
        </>
      ) : (
        <>
          Ask to follow <bdi>{name}</bdi>: once they accept, you read here what they write.
        </>
      )}
    </EmptyState>
  );
}

const words = { follow: "Ask to follow", requested: "Take the request back" };
