import { useState } from "react";
import type { FormEvent, RefObject } from "react";
import { flushSync } from "react-dom";
import type { EditableBlog } from "../../../shared/blogs.ts";
import { messages } from "../../../shared/errors.ts";
import { routes } from "../../../shared/routes.ts";
import { errorCode, errorMessage, isUnanswered } from "../../api/errors.ts";
import { trpc } from "../../api/trpc.ts";
import type { PicturesUnderWay } from "../../editor/pictures/pictures.ts";
import { useNavigate, useNavigateFromHere } from "../../ui/location.ts";
import { useToast } from "../../ui/toasts.tsx";
import { saveBlog } from "./save.ts";
import type { BlogInput } from "./save.ts";
import type { FormSession } from "./form-session.ts";
import { problemsOf, sameFields, trimmed } from "./values.ts";
import type { BlogFields, FieldErrors } from "./values.ts";
import type { Work } from "./work.ts";
import type { Cover } from "./cover-upload.ts";
import type { TagsHandle } from "./tags-field.tsx";

interface Form {
  form: RefObject<HTMLFormElement | null>;
  tags: RefObject<TagsHandle | null>;
  session: FormSession;
  work: Work | null;
  /** All that was written, as it is at the time of the call. */
  held: () => BlogFields;
  cover: Cover;
  pictures: PicturesUnderWay;
  setErrors: (errors: FieldErrors) => void;
}

/** Sends what the form holds, on the version that it was written on; where another stands now, the two are compared. */
export function useSending({ form, tags, session, work, held, cover, pictures, setErrors }: Form) {
  const navigate = useNavigate();
  const leave = useNavigateFromHere();
  const toast = useToast();
  const cache = trpc.useUtils();
  const [sending, setSending] = useState(false);
  const [comparing, setComparing] = useState(false);

  const fail = (message: string, found: FieldErrors = {}) => {
    // Drawn at once: on a busy machine a frame may pass before React has drawn what takes the focus.
    flushSync(() => {
      setSending(false);
      setErrors(found);
    });
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    // What is said at its field, where the focus goes, needs no saying twice; a lost connection does.
    if (Object.keys(found).length === 0 || message === messages.connection) toast({ message, kind: "error" });
  };

  /** By its id: its address may be another by now. */
  const askWhatStands = async (id: string): Promise<EditableBlog> => {
    const { slug } = await cache.client.blogs.card.query({ id });
    return (await cache.client.blogs.forEdit.query({ slug })) as EditableBlog;
  };

  const goneNow = async () => {
    await session.gone();
    fail("This blog was deleted elsewhere. What you wrote is kept: save it as a new draft.");
  };

  /** True where the save may be sent again as it is. */
  const meet = async (id: string): Promise<boolean> => {
    try {
      const how = await session.stands(await askWhatStands(id));
      if (how === "same") return true;
      setSending(false);
      if (how === "apart") setComparing(true);
      else toast({ message: "The blog was changed elsewhere. This is how it stands now." });
    } catch (error) {
      if (errorCode(error) === "NOT_FOUND") await goneNow();
      else fail(isUnanswered(error) ? messages.connection : errorMessage(error, messages.update));
    }
    return false;
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (event.target !== form.current || sending || !work) return;
    const settled = tags.current?.settle();
    const problems = problemsOf(held());
    if (settled === null) return;
    const first = Object.values(problems)[0];
    if (first) return fail(first, problems);
    if (pictures.failed > 0)
      return fail("A picture in the text could not be uploaded. Retry or remove it first.", {
        content: "A picture could not be uploaded. Retry or remove it.",
      });
    if (pictures.sending > 0) return fail("A picture in the text is still on its way. One moment, please.");
    // What is known to stand apart from this needs no asking.
    if (session.snapshot().newer) return setComparing(true);
    setSending(true);
    await session.keep();
    const now = (): BlogFields => {
      const fields = held();
      return { ...fields, document: trimmed(fields.document) };
    };
    const isNew = session.base === null;
    for (;;) {
      const fields = now();
      const send = (input: BlogInput) => {
        session.sends({ ...fields, cover: held().cover });
        const version = session.base;
        const { create, update } = cache.client.blogs;
        return version === null ? create.mutate(input) : update.mutate({ ...input, version });
      };
      const answer = await saveBlog(
        work.blogId,
        fields,
        () => cover.settle(),
        send,
        isNew ? messages.blogPost : messages.update,
      );
      if ("saved" in answer) {
        const sent = { ...fields, cover: answer.cover };
        session.arrived(answer.saved.version, sent);
        // What was changed while it was on its way goes after it: sent again it is the same blog.
        if (cover.isUnderWay() || !sameFields(sent, now())) continue;
        await session.saved();
        await cache.blogs.invalidate(undefined, { refetchType: "none" });
        toast({ message: answer.saved.message, kind: "success" });
        return leave(routes.blog(answer.saved.slug), { replace: true });
      }
      const { message, errors, why } = answer.failure;
      if (why === "stale" && (await meet(work.blogId))) continue;
      if (why === "stale") return;
      if (why === "gone") return goneNow();
      if (why !== "signed-out") return fail(message, errors);
      setSending(false);
      return toast({
        message: "You are signed out. What you wrote is kept on this device.",
        kind: "error",
        action: { label: "Sign in", run: () => void navigate(routes.signIn(window.location.pathname)) },
      });
    }
  };

  return { sending, submit, comparing, setComparing };
}
