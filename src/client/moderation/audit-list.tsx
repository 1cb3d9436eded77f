import type { AuditAct, AuditEntry } from "../../shared/moderation.ts";
import { trpc } from "../api/trpc.ts";
import { RelativeTime } from "../ui/time.tsx";
import { StaffList } from "./staff-list.tsx";

/** Every action of moderators, newest first. Entries cannot be changed, but lose the name of what is deleted. */
export function AuditList({ page }: { page: number }) {
  const query = trpc.moderation.log.useQuery({ page });
  return (
    <StaffList
      query={query}
      noun="the log"
      rows={({ entries }) => entries}
      empty={{ title: "Nothing yet", text: "Everything moderators do is recorded here." }}
      pages={{ action: "/admin/log", page }}
    >
      {(entry) => (
        <li key={entry.seq} className="stack" data-item>
          <div className="stack gap-1">
            <p>
              <strong>@{entry.actor}</strong> {actions[entry.act](entry)}
            </p>
            {entry.reason && (
              <p className="soft as-typed line-clamp staff-text" dir="auto">
                {entry.reason}
              </p>
            )}
            <p className="note">
              <RelativeTime at={entry.at} />
              {isGone(entry) && " · deleted since"}
            </p>
          </div>
        </li>
      )}
    </StaffList>
  );
}

const isGone = ({ kind, name }: AuditEntry): boolean => kind !== "site" && name === "";
const placeholders = {
  profile: "an account",
  blog: "a blog",
  comment: "a comment",
  site: "the site",
} as const;
const targetName = (entry: AuditEntry): string => {
  const { kind, name } = entry;
  if (isGone(entry)) return placeholders[kind];
  return kind === "profile" ? `@${name}` : `the ${kind} “${name}”`;
};
const actions: Record<AuditAct, (entry: AuditEntry) => string> = {
  keep: (entry) => `dismissed the reports of ${targetName(entry)}`,
  reopen: (entry) => `opened the reports of ${targetName(entry)} again`,
  "take-down": (entry) => `${entry.kind === "blog" ? "took down" : "deleted"} ${targetName(entry)}`,
  "keep-appeal": (entry) => `left ${targetName(entry)} taken down after a review`,
  restore: (entry) => `restored ${targetName(entry)}`,
  suspend: (entry) => `suspended ${targetName(entry)}`,
  unsuspend: (entry) => `unsuspended ${targetName(entry)}`,
  limit: (entry) => `limited ${targetName(entry)} to followers`,
  unlimit: (entry) => `removed the limit of ${targetName(entry)}`,
  administrator: (entry) => `made ${targetName(entry)} an administrator`,
  add: (entry) => `added ${targetName(entry)}`,
  verify: (entry) => `confirmed the address of ${targetName(entry)}`,
  reset: (entry) => `sent ${targetName(entry)} a link to choose a new password`,
  "reset-2fa": (entry) => `turned off two-factor authentication and passkeys of ${targetName(entry)}`,
  "sign-out": (entry) => `signed ${targetName(entry)} out everywhere`,
  delete: (entry) => `deleted ${targetName(entry)}`,
  note: (entry) => `wrote a note about ${targetName(entry)}`,
  "delete-note": (entry) => `deleted a note about ${targetName(entry)}`,
  moderator: (entry) => `made ${targetName(entry)} a moderator`,
  "sign-up": ({ name }) =>
    ({
      open: "opened sign-up to anyone",
      approval: "opened sign-up with approval",
      invitation: "opened sign-up by invitation",
      closed: "closed sign-up",
    })[name] ?? name,
  question: ({ name }) => `changed the sign-up question to “${name}”`,
  approve: (entry) => `approved ${targetName(entry)}`,
  reject: (entry) => `rejected ${targetName(entry)}`,
  "block-sign-ups": ({ name }) => `blocked sign-ups from ${name}`,
  "unblock-sign-ups": ({ name }) => `unblocked sign-ups from ${name}`,
  invite: ({ name }) => `created an invitation for ${name === "1" ? "one account" : `${name} accounts`}`,
  withdraw: () => "deleted an invitation",
  retry: ({ name }) => `had the job “${name}” tried again`,
  discard: ({ name }) => `deleted the failed job “${name}”`,
  writer: (entry) => `allowed ${targetName(entry)} to publish`,
  reader: (entry) => `stopped ${targetName(entry)} from publishing`,
  site: ({ name, reason }) => `${reason === "" && name !== "picture" ? "cleared" : "set"} the site’s ${name}`,
  member: (entry) => `made ${targetName(entry)} a member again`,
};
