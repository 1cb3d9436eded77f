import { useMutation } from "@tanstack/react-query";
import { useId, useRef } from "react";
import { authorLimits } from "../../shared/authors.ts";
import type { BlogAuthor, BlogAuthors } from "../../shared/authors.ts";
import { messages } from "../../shared/errors.ts";
import { routes } from "../../shared/routes.ts";
import { errorMessage } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { confirm } from "../ui/confirm.tsx";
import { useFocusAfterRemoval } from "../ui/focus-after-removal.ts";
import { useNavigateFromHere } from "../ui/navigate-from-here.ts";
import { RelativeTime } from "../ui/time.tsx";
import { toast } from "../ui/toasts.tsx";
import { useViewer } from "../session/viewer.ts";
import { InviteField } from "./invite-field.tsx";
import { confirmLeave } from "../blogs/confirm.ts";

interface Props {
  blog: BlogAuthors;
  title: string;
  settle: () => Promise<unknown>;
}

/** The authors of a blog and invited people, with actions on them. */
export default function AuthorsList({ blog, title, settle }: Props) {
  const { id, mine, authors } = blog;
  return (
    <>
      <ul className="authors-list stack gap-2" aria-label="Authors">
        {authors.map((author) => (
          <Row key={author.id} blog={blog} title={title} author={author} settle={settle} />
        ))}
      </ul>
      {!mine ? (
        <p className="note">
          You can write, publish and see the history. <bdi>{authors[0]?.name}</bdi> decides who can write, and
          is the only one who can delete it.
        </p>
      ) : authors.length < authorLimits.most ? (
        <InviteField key={id} id={id} authors={authors} />
      ) : (
        <p className="note">
          {authorLimits.most} at most write a blog together, whoever is invited among them.
        </p>
      )}
    </>
  );
}

function Row({ blog, title, author, settle }: Props & { author: BlogAuthor }) {
  const viewer = useViewer();
  const leave = useNavigateFromHere();
  const nameId = useId();
  const row = useRef<HTMLLIElement>(null);
  const isRemoved = useRef(false);
  useFocusAfterRemoval(row, isRemoved);
  const { id, role } = author;
  const isMe = id === viewer?.id;

  const removeAuthor = trpc.blogs.removeAuthor.useMutation();
  const removal = useMutation({
    mutationFn: async () => {
      if (isMe) await settle();
      return removeAuthor.mutateAsync({ id: blog.id, userId: id });
    },
    onMutate: () => void (isRemoved.current = true),
    onSuccess: async ({ message }) => {
      toast({ kind: "success", message });
      if (isMe) await leave("/my-blogs", { replace: true });
    },
    onError: (error) => {
      isRemoved.current = false;
      toast({ kind: "error", message: errorMessage(error, messages.wrong) });
    },
  });
  const confirmRemoval = async (): Promise<void> => {
    const isConfirmed = await confirm({
      title: `Remove ${author.name}?`,
      body: "They can no longer write here, and we’ll remove their name from the blog. What they wrote stays in it.",
      action: "Remove",
      danger: true,
    });
    if (isConfirmed) removal.mutate();
  };
  const confirmAndLeave = async (): Promise<void> => {
    if (await confirmLeave(title, blog.authors[0]?.name ?? "")) removal.mutate();
  };
  const isInvited = role === "invited";
  const onPress = (): void =>
    isMe ? void confirmAndLeave() : isInvited ? removal.mutate() : void confirmRemoval();
  return (
    <li className="row gap-3" ref={row}>
      <Avatar person={author} size={32} />
      <span className="authors-who grow stack gap-0 small">
        <a
          href={routes.profile(author.username)}
          className="plain-link strong self-start"
          id={nameId}
          target="_blank"
          rel="noopener"
        >
          <bdi>{author.name}</bdi>
        </a>
        <span className="muted">
          {isMe && "you · "}
          {role === "owner" ? (
            "began it"
          ) : role === "author" ? (
            "co-author"
          ) : (
            <>
              invited <RelativeTime at={author.since} />
            </>
          )}
        </span>
      </span>
      {role !== "owner" && (isMe || blog.mine) && (
        <Button size="s" busy={removal.isPending} aria-describedby={nameId} onClick={onPress}>
          {isMe ? "Leave" : isInvited ? "Withdraw" : "Remove"}
        </Button>
      )}
    </li>
  );
}
