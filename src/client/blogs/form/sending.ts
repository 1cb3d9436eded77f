import { useState } from "react";
import type { FormEvent, RefObject } from "react";
import { flushSync } from "react-dom";
import { useNavigate } from "react-router-dom";
import { messages } from "../../../shared/errors.ts";
import { routes } from "../../../shared/routes.ts";
import { trpc } from "../../api/trpc.ts";
import type { SyncState } from "../../editor/sync/sync.ts";
import type { PicturesUnderWay } from "../../editor/pictures/pictures.ts";
import { useNavigateFromHere } from "../../ui/navigate-from-here.ts";
import { toast } from "../../ui/toasts.tsx";
import { asSchedule } from "./later.ts";
import { failureOf, notWritten, signedOut, unreached } from "./save-failure.ts";
import { saySaved } from "./say-saved.ts";
import { problemsOf } from "./values.ts";
import type { FieldErrors } from "./values.ts";
import type { Cover } from "./cover-upload.ts";
import type { TagsHandle } from "./tags-field.tsx";
import type { WritingSession } from "./writing-session.ts";

interface Form {
  form: RefObject<HTMLFormElement | null>;
  tags: RefObject<TagsHandle | null>;
  session: WritingSession;
  isNew: boolean;
  cover: Cover;
  pictures: PicturesUnderWay;
  setErrors: (errors: FieldErrors) => void;
  /** Shows the part of the form in which something is wrong. */
  setSheetOpen: (isOpen: boolean) => void;
  /** What was written here can't be put onto what stands: the writer is to choose. */
  onApart: () => void;
}

/** Publishes what the form holds, or saves it as a draft, once the server has all of it. */
export function useSending({
  form,
  tags,
  session,
  isNew,
  cover,
  pictures,
  setErrors,
  setSheetOpen,
  onApart,
}: Form) {
  const navigate = useNavigate();
  const leave = useNavigateFromHere();
  const cache = trpc.useUtils();
  const [sending, setSending] = useState(false);

  const fallback = isNew ? messages.blogPost : messages.update;

  const fail = (message: string, found: FieldErrors = {}) => {
    // Drawn at once: on a busy machine a frame may pass before React has drawn what takes the focus.
    flushSync(() => {
      setSending(false);
      setErrors(found);
      if (found.title || found.content) setSheetOpen(false);
      else if (Object.keys(found).length > 0) setSheetOpen(true);
    });
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    // What is said at its field, where the focus goes, needs no saying twice; a lost connection does.
    if (Object.keys(found).length === 0 || message === messages.connection) toast({ message, kind: "error" });
  };

  const goToSignIn = () => void navigate(routes.signIn(window.location.pathname));
  const signIn = () => {
    setSending(false);
    // The strip above says so, and how to go on.
    if (session.snapshot().kept === "failed") return;
    toast({
      message: signedOut,
      kind: "error",
      action: { label: "Sign in", run: goToSignIn },
    });
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const id = session.blogId;
    if (event.target !== form.current || sending || id === null) return;
    const settled = tags.current?.settle();
    const problems = problemsOf(session.all());
    const first = Object.values(problems)[0];
    // Beside what the tags say of themselves.
    if (first) return fail(first, problems);
    if (settled === null) return setSheetOpen(true);
    if (pictures.failed > 0)
      return fail("A picture in the text couldn’t be uploaded. Retry or remove it first.", {
        content: "A picture couldn’t be uploaded. Retry or remove it.",
      });
    if (pictures.sending > 0) return fail("A picture in the text is still uploading. Please wait a moment.");
    setSending(true);
    try {
      for (;;) {
        tags.current?.settle();
        await session.keep();
        await cover.settle();
        if (!(await session.settle())) {
          const { sync } = session.snapshot();
          if (sync.name === "signed-out") return signIn();
          if (sync.name === "lost") {
            setSending(false);
            setSheetOpen(false);
            return onApart();
          }
          return fail(saidOf(sync, fallback));
        }
        const { draft, later } = session.all();
        const { publishWriting } = cache.client.blogs;
        const isDraft = draft || later !== null;
        const saved = await publishWriting.mutate({ id, draft: isDraft, schedule: asSchedule(later) });
        // What was written while it was on its way goes after it.
        const isTyped = (tags.current?.withTyped().length ?? 0) > session.all().tags.length;
        if (cover.isUnderWay() || isTyped || !session.isSettled()) continue;
        await session.saved();
        await cache.blogs.invalidate(undefined, { refetchType: "none" });
        saySaved(saved, { title: session.all().title, isOut: !isDraft, navigate });
        return await leave(routes.blog(saved.slug), { replace: true });
      }
    } catch (error) {
      const { message, errors, why } = failureOf(error, fallback);
      if (why === "signed-out") return signIn();
      if (why === "gone") {
        await session.gone();
        return fail("This blog was deleted on another device. Your text is safe: save it as a new draft.");
      }
      fail(message, errors);
    }
  };

  return { sending, submit, goToSignIn };
}

/** Why what was written does not reach the server. */
export const saidOf = (sync: SyncState, fallback: string = messages.blogPost): string =>
  sync.name === "failed"
    ? sync.reason
    : sync.name === "ended" || sync.name === "old" || sync.name === "full"
      ? notWritten[sync.name]
      : sync.name === "troubled" || sync.name === "busy"
        ? "The server can’t save it right now. Please try again in a moment."
        : unreached(fallback);
