import { useState } from "react";
import type { FormEvent, RefObject } from "react";
import { flushSync } from "react-dom";
import { useNavigate } from "react-router-dom";
import { messages } from "../../../shared/errors.ts";
import { routes } from "../../../shared/routes.ts";
import { trpc } from "../../api/trpc.ts";
import type { SyncState } from "../commits.ts";
import type { TextPictures } from "../../editor/pictures/text-pictures.ts";
import { useNavigateFromHere } from "../../ui/navigate-from-here.ts";
import { toast } from "../../ui/toasts.tsx";
import { toSchedule } from "./schedule-time.ts";
import { saveFailureOf, notSentTexts, signedOut, unreachableText } from "./save-failure.ts";
import { showSavedToast } from "./saved-toast.ts";
import { validateFields } from "./blog-fields.ts";
import type { FieldErrors } from "./blog-fields.ts";
import type { Cover } from "./cover-upload.ts";
import type { TagsHandle } from "./tags-field.tsx";
import type { DraftSession } from "../draft-session.ts";

interface Form {
  form: RefObject<HTMLFormElement | null>;
  tags: RefObject<TagsHandle | null>;
  session: DraftSession;
  isNew: boolean;
  /** It becomes a live blog. */
  startsLive: boolean;
  cover: Cover;
  pictures: TextPictures;
  setErrors: (errors: FieldErrors) => void;
  /** Shows the part of the form that has an error. */
  setSheetOpen: (isOpen: boolean) => void;
}

/** Publishes the form or saves it as a draft, once the server has all changes. */
export function useSubmit(options: Form) {
  const { form, tags, session, isNew, startsLive, cover, pictures, setErrors, setSheetOpen } = options;
  const navigate = useNavigate();
  const leave = useNavigateFromHere();
  const cache = trpc.useUtils();
  const [sending, setSending] = useState(false);

  const fallback = isNew ? messages.blogPost : messages.update;

  const fail = (message: string, found: FieldErrors = {}) => {
    // At once: on a busy machine the invalid field might not be rendered a frame later, when it is focused.
    flushSync(() => {
      setSending(false);
      setErrors(found);
      if (found.title || found.content) setSheetOpen(false);
      else if (Object.keys(found).length > 0) setSheetOpen(true);
    });
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    // An error at the focused field needs no toast, a lost connection does.
    if (Object.keys(found).length === 0 || message === messages.connection) toast({ message, kind: "error" });
  };

  const goToSignIn = () => void navigate(routes.signIn(window.location.pathname));
  const signIn = () => {
    setSending(false);
    // The notice above the form says how to continue.
    if (session.snapshot().deviceState === "failed") return;
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
    const problems = validateFields(session.all());
    const first = Object.values(problems)[0];
    // In addition to the error of the tags.
    if (first) return fail(first, problems);
    if (settled === null) return setSheetOpen(true);
    // As chosen at the click: each save ends the choice.
    const { draft, later } = session.all();
    const isDraft = draft || later !== null;
    setSending(true);
    try {
      for (;;) {
        tags.current?.settle();
        await session.open?.storeNow();
        await cover.settle();
        if ((await pictures.settle()) > 0)
          return fail("A picture in the text couldn’t be uploaded. Retry or remove it first.", {
            content: "A picture couldn’t be uploaded. Retry or remove it.",
          });
        if (!(await session.sendAll())) {
          const { sync } = session.snapshot();
          if (sync.name === "signed-out") return signIn();
          return fail(unsentReason(sync, fallback));
        }
        const schedule = toSchedule(later);
        const live = startsLive && !isDraft;
        const saved = await session.publish({ id, draft: isDraft, schedule, live });
        // Sends changes made during the request.
        const isTyped = (tags.current?.withTyped().length ?? 0) > session.all().tags.length;
        const isUnsent = isTyped || session.open?.isSaved === false;
        if (cover.isUnderWay() || pictures.isUnderWay() || isUnsent) continue;
        await session.open?.removeStored();
        await cache.blogs.invalidate(undefined, { refetchType: "none" });
        showSavedToast(saved, { title: session.all().title, isPublished: !isDraft, navigate });
        return await leave(routes.blog(saved.slug), { replace: true });
      }
    } catch (error) {
      const { message, errors, kind } = saveFailureOf(error, fallback);
      if (kind === "signed-out") return signIn();
      if (kind === "gone") {
        await session.continueAsNewDraft();
        return fail("This blog was deleted on another device. Your text is safe: save it as a new draft.");
      }
      fail(message, errors);
    }
  };

  return { sending, submit, goToSignIn };
}

/** Returns why changes do not reach the server. */
export const unsentReason = (sync: SyncState, fallback: string = messages.blogPost): string =>
  sync.name === "failed"
    ? sync.reason
    : sync.name === "ended" || sync.name === "old" || sync.name === "full"
      ? notSentTexts[sync.name]
      : sync.name === "troubled" || sync.name === "busy"
        ? "The server can’t save it right now. Please try again in a moment."
        : unreachableText(fallback);
