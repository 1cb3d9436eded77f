import { useState } from "react";
import { Link } from "../ui/link.tsx";
import type { StaffPerson } from "../../shared/moderation.ts";
import { routes } from "../../shared/routes.ts";
import { trpc } from "../api/trpc.ts";
import { useSite } from "../session/site.ts";
import { useViewer } from "../session/viewer.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { confirm } from "../ui/confirm.tsx";
import { Menu } from "../ui/menu.tsx";
import { onDemand } from "../ui/on-demand.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { useMutationMessage } from "../session/use-mutation-message.ts";
import { contentAddress } from "./content-list.tsx";

const ReasonDialog = onDemand(() => import("./reason-dialog.tsx"));
const NotesDialog = onDemand(() => import("./notes-dialog.tsx"));
const DeletePersonDialog = onDemand(() => import("./delete-person-dialog.tsx"));

export function Row({ person }: { person: StaffPerson }) {
  const { id: userId, name, role, suspended, limited } = person;
  const viewer = useViewer();
  const { writersChosen } = useSite();
  const suspendMutation = trpc.moderation.suspend.useMutation();
  const limitMutation = trpc.moderation.limit.useMutation();
  const suspend = useMutationMessage(suspendMutation);
  const limit = useMutationMessage(limitMutation);
  const { run: makeAdministrator } = useMutationMessage(trpc.moderation.makeAdmin.useMutation());
  const roleChange = trpc.moderation.makeModerator.useMutation();
  const { run: makeModerator } = useMutationMessage(roleChange);
  const writerChange = trpc.moderation.setWriter.useMutation();
  const { run: setWriter } = useMutationMessage(writerChange);
  const { run: sendReset } = useMutationMessage(trpc.moderation.sendReset.useMutation());
  const { run: verify } = useMutationMessage(trpc.moderation.verify.useMutation());
  const [dialog, setDialog] = useState<"suspend" | "limit" | "notes" | "delete" | null>(null);
  const close = (): void => setDialog(null);
  const mayAct =
    viewer !== null &&
    viewer.id !== userId &&
    role !== "administrator" &&
    (viewer.isAdmin || role === "member");
  const mayNote = viewer !== null && viewer.id !== userId && (viewer.isAdmin || role === "member");
  const makeAdmin = async (): Promise<void> => {
    const isSure = await confirm({
      title: `Make ${name} an administrator?`,
      body: "Administrators have full access. You can only remove this role from the command line.",
      action: "Make administrator",
      danger: true,
    });
    if (isSure) await makeAdministrator({ userId });
  };
  const sendPasswordLink = async (): Promise<void> => {
    const isSure = await confirm({
      title: `Send ${name} a password link?`,
      body: "We’ll email them a link to choose a new password. Their current password works until then.",
      action: "Send link",
    });
    if (isSure) await sendReset({ userId });
  };
  const confirmAddress = async (): Promise<void> => {
    const isSure = await confirm({
      title: `Confirm ${name}’s email address?`,
      body: "They can sign in without the link that we emailed them. This can’t be undone.",
      action: "Confirm address",
    });
    if (isSure) await verify({ userId });
  };
  const moderator = role === "member";
  const notes = { label: "Notes", run: () => setDialog("notes") };
  const draftLinks = [
    { label: "Their blogs", to: contentAddress("blogs", person) },
    { label: "Their comments", to: contentAddress("comments", person) },
  ];
  const publishingEntry = {
    label: person.writer ? "Stop publishing" : "Allow publishing",
    run: () =>
      void setWriter({ userId, writer: !person.writer }, () =>
        writerChange.mutateAsync({ userId, writer: person.writer }),
      ),
  };
  const entries = [
    ...draftLinks,
    ...(mayNote ? [notes] : []),
    ...(mayAct && viewer.isAdmin
      ? ([
          person.verified
            ? {
                label: "Send a password link",
                run: () => void sendPasswordLink(),
              }
            : {
                label: "Confirm email address",
                run: () => void confirmAddress(),
              },
          "line",
          ...(writersChosen ? [publishingEntry] : []),
          {
            label: moderator ? "Make moderator" : "Make member",
            run: () =>
              void makeModerator({ userId, moderator }, () =>
                roleChange.mutateAsync({ userId, moderator: !moderator }),
              ),
          },
          { label: "Make administrator", run: () => void makeAdmin() },
          "line",
          { label: "Delete account", danger: true, run: () => setDialog("delete") },
        ] as const)
      : []),
  ];
  return (
    <li className="stack" data-item>
      <div className="row wrap top between gap-2-4 staff-row">
        <Facts person={person} />
        <div className="row wrap">
          {mayAct &&
            (suspended ? (
              <Button
                size="s"
                busy={suspend.busy}
                onClick={() =>
                  void suspend.run(
                    { userId, suspended: false },
                    suspended.reason === ""
                      ? undefined
                      : () =>
                          suspendMutation.mutateAsync({ userId, suspended: true, reason: suspended.reason }),
                  )
                }
              >
                Unsuspend
              </Button>
            ) : (
              <Button size="s" busy={suspend.busy} onClick={() => setDialog("suspend")}>
                Suspend
              </Button>
            ))}
          {mayAct &&
            (limited ? (
              <Button
                size="s"
                busy={limit.busy}
                onClick={() =>
                  void limit.run({ userId, limited: false }, () =>
                    limitMutation.mutateAsync({ userId, limited: true, reason: limited.reason }),
                  )
                }
              >
                Remove limit
              </Button>
            ) : (
              <Button size="s" busy={limit.busy} onClick={() => setDialog("limit")}>
                Limit
              </Button>
            ))}
          <Menu label={`More about ${name}`} className="dots icon-button" entries={entries}>
            <span aria-hidden="true">•••</span>
          </Menu>
        </div>
      </div>
      {dialog === "suspend" && (
        <ReasonDialog
          title={`Suspend ${name}?`}
          body="Nobody can see the account or its content, and it is signed out right away. You can undo this."
          readBy="suspended"
          action="Suspend"
          onClose={close}
          onAnswer={(reason) =>
            void suspend.run({ userId, suspended: true, reason }, () =>
              suspendMutation.mutateAsync({ userId, suspended: false }),
            )
          }
        />
      )}
      {dialog === "limit" && (
        <ReasonDialog
          title={`Limit ${name}?`}
          body="Only followers can see this account and its content. The person isn’t notified. You can undo this."
          readBy="moderators"
          action="Limit"
          onClose={close}
          onAnswer={(reason) =>
            void limit.run({ userId, limited: true, reason }, () =>
              limitMutation.mutateAsync({ userId, limited: false }),
            )
          }
        />
      )}
      {dialog === "notes" && <NotesDialog person={person} onClose={close} />}
      {dialog === "delete" && <DeletePersonDialog person={person} onClose={close} />}
    </li>
  );
}

function Facts({ person }: { person: StaffPerson }) {
  const { name, username, email, role, suspended, limited, verified, notes } = person;
  return (
    <div className="stack gap-1">
      <p className="strong row">
        <Avatar person={person} size={32} />
        <span>
          <Link
            to={suspended || limited ? contentAddress("blogs", person) : routes.profile(username)}
            data-main
          >
            <bdi>{name}</bdi>
          </Link>{" "}
          <span className="note">@{username}</span>
        </span>
      </p>
      <p className="note">
        {role !== "member" && `${role === "moderator" ? "Moderator" : "Administrator"} · `}
        {email && (
          <>
            <bdi>{email}</bdi> ·{" "}
          </>
        )}
        joined <RelativeTime at={person.joinedAt} />
        {person.seenAt ? (
          <>
            {" · seen "}
            <RelativeTime at={person.seenAt} />
          </>
        ) : (
          " · never signed in"
        )}
        {` · ${person.blogs.toLocaleString("en")} ${person.blogs === 1 ? "blog" : "blogs"}`}
        {person.isPending ? " · waiting for approval" : !verified && " · email not confirmed"}
        {notes > 0 && ` · ${notes} ${notes === 1 ? "note" : "notes"}`}
      </p>
      {suspended && <Flag label="Suspended" {...suspended} />}
      {limited && <Flag label="Limited" {...limited} />}
    </div>
  );
}

function Flag({ label, at, reason }: { label: string; at: string; reason: string }) {
  return (
    <p className="danger">
      {label} <RelativeTime at={at} />
      {reason && (
        <>
          : <q dir="auto">{reason}</q>
        </>
      )}
    </p>
  );
}
