import { Suspense, lazy, useEffect, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useLocation } from "react-router-dom";
import { messages } from "../../../shared/errors.ts";
import type { EditableBlog } from "../../../shared/blogs.ts";
import { routes } from "../../../shared/routes.ts";
import { trpc } from "../../api/trpc.ts";
import { fetchCodeWithRetry } from "../../api/retry.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty.tsx";
import { siteResponds } from "../../ui/fetch-code.ts";
import { onDemand } from "../../ui/on-demand.tsx";
import { clearToasts, toast } from "../../ui/toasts.tsx";
import { useSharedBlog } from "../../authors/authors-section.tsx";
import { useEditorCards } from "../../blogs/article/linked/use-editor-cards.ts";
import { AboutFields } from "./about-fields.tsx";
import { CloseLink, useLeaveGuard } from "./leave-form.tsx";
import { CoWriterAnnouncements, DraftNow } from "./co-writers.tsx";
import { useCoWriters } from "./use-co-writers.ts";
import { useCover } from "./cover-upload.ts";
import { useToolbarChoice } from "../../editor/menus/toolbar-choice.ts";
import { FirstLines, keepEarlyWords, takeEarlyWords } from "./first-lines.tsx";
import { FormNotices } from "./notices.tsx";
import { PublishSheet } from "./publish-sheet.tsx";
import { SubmitSection } from "./submit-section.tsx";
import { useTextPictures } from "../../editor/pictures/text-pictures.ts";
import { useSubmit } from "./use-submit.ts";
import { useIgnoredTyping, useSubmitShortcuts } from "./form-keys.ts";
import { SaveStatus } from "./save-status.tsx";
import { TitleField } from "./title-field.tsx";
import { focusText, focusTitle, isInFirstLines } from "./caret.ts";
import { submitLabel, useProblemsAtFields } from "./blog-fields.ts";
import { DraftActions } from "./draft-actions.tsx";
import { loadEditor, useDraftSession } from "./use-draft-session.ts";
import { useGuessedLanguage } from "./language-field.tsx";
import { useScheduleSync } from "./schedule-field.tsx";
import type { FieldErrors } from "./blog-fields.ts";
import type { BlogFields } from "../draft-fields.ts";
import type { TagsHandle } from "./tags-field.tsx";
import "../../ui/notice.css";
import "./blog-form.css";
import "./form-strip.css";

// It reads the text by the document's blocks, which the page loads with the editor.
const CardPreview = onDemand(() => import("./card-preview.tsx"));
const ContentField = lazy(() => fetchCodeWithRetry(loadEditor));

/** The form for a new or existing blog (docs/specification.md, 2.24). Keeps changes until the server has them. */
export function BlogForm({
  account,
  blog,
  isGone = false,
}: {
  account: string;
  blog: EditableBlog | null;
  /** The blog was deleted since the form was opened. */
  isGone?: boolean;
}) {
  const { users } = trpc.useUtils();
  // With the editor, so that the sheet opens with it and no field moves.
  useEffect(() => CardPreview.prepare(), []);
  const cards = useEditorCards();
  const showConnectionError = () => toast({ message: messages.connection, kind: "error" });
  const form = useRef<HTMLFormElement>(null);
  const tagsHandle = useRef<TagsHandle>(null);
  const page = useRef<HTMLDivElement>(null);
  const [isSheetOpen, setSheetOpen] = useState(false);
  const [isByKeys, setByKeys] = useState(false);
  const [hasTools, setTools] = useToolbarChoice();
  const [errors, setErrors] = useState<FieldErrors>({});
  const pictures = useTextPictures();
  const [isDiscarding, setDiscarding] = useState(false);
  const [startsLive, setStartsLive] = useState(new URLSearchParams(useLocation().search).has("live"));
  const [firstLines, setFirstLines] = useState("");
  /** The key of the draft whose text is in the editor. */
  const [textKey, setTextKey] = useState(0);
  const wasTouched = useRef(false);
  const coverFile = useRef<Blob | null>(null);
  const { session, isCodeMissing, restart, ...state } = useDraftSession(account, blog, () => ({
    file: coverFile.current,
    pictures: pictures.names,
    tags: [...(tagsHandle.current?.withTyped() ?? [])],
  }));
  const { phase, fields, deviceState, sync, removed, topic } = state;
  const shared = useSharedBlog(topic === null ? null : session.blogId);
  const writing = phase.name === "writing";

  const set = (change: Partial<BlogFields>) => {
    setErrors((now) => Object.fromEntries(Object.entries(now).filter(([name]) => !(name in change))));
    session.set(change);
  };
  useProblemsAtFields(form, session.all.bind(session), (problem) =>
    setErrors((now) => ({ ...now, ...problem })),
  );
  const draft = writing ? phase.draft : null;
  const { company, hasPlace, isReading, sendCaret } = useCoWriters(account, topic, draft?.at.client, sync);
  const isClosed = isReading || removed !== null;
  useIgnoredTyping(form, isClosed);
  // There is room again: send what could not be sent.
  useEffect(() => {
    if (hasPlace && sync.name === "full") session.resync();
  }, [session, hasPlace, sync.name]);
  const cover = useCover(
    fields.cover,
    () => session.all().cover,
    (picture) => set({ cover: picture }),
    (file) => {
      coverFile.current = file;
      session.open?.changed();
    },
  );

  /** Cancels an upload of a cover. The returned function starts it again. */
  const dropCover = (): (() => void) => {
    const file = cover.isUnderWay() ? coverFile.current : null;
    if (cover.isUnderWay()) cover.cancel();
    return () => file && cover.choose(file);
  };

  const discard = async (): Promise<void> => {
    setDiscarding(true);
    const restoreCover = dropCover();
    // A half-typed tag is discarded, and restored, with the others.
    tagsHandle.current?.settle();
    try {
      await session.discard(restoreCover);
    } catch {
      restoreCover();
      showConnectionError();
    }
    setDiscarding(false);
  };

  const key = writing ? phase.key : 0;
  const [guessedLanguage, guessSoon] = useGuessedLanguage(
    () => session.all().document,
    `${key} ${state.changesByOthers}`,
  );
  useLayoutEffect(() => {
    if (!draft) return;
    setErrors({});
    pictures.reset();
    // A cover chosen before the form was ready is the latest choice.
    if (key === 1 && cover.isUnderWay()) return;
    if (draft.file) cover.choose(draft.file);
    else if (cover.isUnderWay()) cover.cancel();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each draft
  }, [key]);

  const isTouched =
    sync.name !== "saved" || deviceState === "saving" || deviceState === "saved" || wasTouched.current;
  wasTouched.current = isTouched;
  // The only case in which leaving loses something.
  useLeaveGuard(
    (deviceState === "failed" && sync.name !== "saved" && isTouched) || firstLines !== "",
    () => users.me.getData()?.id === account,
  );

  const { sending, submit, goToSignIn } = useSubmit({
    form,
    tags: tagsHandle,
    session,
    isNew: blog === null,
    startsLive,
    cover,
    pictures,
    setErrors,
    setSheetOpen,
  });
  useEffect(() => {
    if (isGone && key > 0 && !sending) void session.continueAsNewDraft();
  }, [session, isGone, key, sending]);

  useScheduleSync({ blog, session, draftKey: key, isSending: sending });
  const changeFirstLines = (lines: string): void => {
    setFirstLines(lines);
    // As with a title typed early, no other unfinished blog is opened.
    if (!blog) session.set({ title: session.all().title });
  };

  const label = submitLabel(fields, blog !== null, startsLive && !blog?.live);
  const isPublished = blog !== null && !blog.draft;
  const opener = isPublished ? "Update…" : "Publish…";
  const hasSheet = isSheetOpen && removed === null;
  const toggleSheet = (isOpen: boolean): void => {
    // A toast would cover the publish button.
    if (isOpen) clearToasts();
    setSheetOpen(isOpen);
  };
  useSubmitShortcuts({
    form,
    session,
    maySend: !sending && draft !== null && !isClosed,
    isShown: phase.name !== "broken",
    openSheet: () => {
      toggleSheet(true);
      setByKeys(true);
    },
  });

  useEffect(() => {
    const words = takeEarlyWords(account, blog?.id ?? null);
    if (words?.title) session.set({ title: words.title });
    if (words?.lines) changeFirstLines(words.lines);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once
  }, []);
  const retry = async (): Promise<void> => {
    // Chromium never fetches code again that could not be fetched once.
    if (!isCodeMissing()) return restart();
    if (!(await siteResponds(location.href))) return showConnectionError();
    const words = { title: fields.title, lines: firstLines };
    if (keepEarlyWords(account, blog?.id ?? null, words)) flushSync(() => setFirstLines(""));
    location.reload();
  };

  if (phase.name === "broken") {
    return (
      <EmptyState
        title="We couldn’t load the editor"
        action={
          <Button kind="primary" onClick={() => void retry()}>
            Retry
          </Button>
        }
      >
        {messages.connection}
      </EmptyState>
    );
  }
  return (
    <form
      ref={form}
      className="blog-form"
      data-sheet={hasSheet || undefined}
      data-tools={hasTools || undefined}
      method="post"
      noValidate
      onSubmit={(event) => void submit(event)}
      aria-busy={sending || undefined}
    >
      <div className="blog-form-strip row" hidden={removed !== null}>
        <CloseLink to={blog ? routes.blog(blog.slug) : "/my-blogs"} />
        <SaveStatus
          sync={sync}
          deviceState={deviceState}
          isTouched={isTouched}
          onRetry={async () => session.open?.retry()}
        />
        <DraftNow others={company.others} />
        <div className="blog-form-acts row fixed to-end">
          {writing && !isClosed && (
            <Button
              size="s"
              kind="quiet"
              className="blog-form-tools"
              aria-label="All tools"
              aria-expanded={hasTools}
              // Keeps the focus and the selection in the text.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => setTools(!hasTools)}
            >
              Aa
            </Button>
          )}
          {draft && (
            <DraftActions
              session={session}
              blogId={draft.blogId}
              hasHistory={blog !== null}
              formFields={() => session.all()}
              formKey={`${key} ${state.changesByOthers}`}
              isReading={isClosed}
              coverUnderWay={cover.underWay}
              onDropCover={dropCover}
            />
          )}
          <Button
            size="s"
            kind="primary"
            aria-haspopup="dialog"
            aria-expanded={hasSheet}
            onClick={() => {
              toggleSheet(!isSheetOpen);
              setByKeys(false);
            }}
          >
            {opener}
          </Button>
        </div>
      </div>
      <FormNotices
        session={session}
        state={state}
        isChanged={state.isChanged && blog !== null && !sending && !removed}
        onSignIn={goToSignIn}
        isReading={isReading}
        isDiscarding={isDiscarding}
        onDiscard={() => void discard()}
        onAnother={() => void session.startAnother().catch(showConnectionError)}
      />
      <CoWriterAnnouncements others={company.others} isReading={isReading} />
      <div className="blog-form-text text-column stack gap-2" ref={page}>
        <TitleField
          value={fields.title}
          error={errors.title}
          isReading={isClosed}
          language={fields.language || guessedLanguage}
          isFirst={blog === null}
          onChange={(title) => set({ title })}
          onLines={changeFirstLines}
          onLeave={() => focusText(page.current)}
        />
        {!(writing && textKey === key) && (
          <FirstLines
            lines={firstLines}
            isReading={isClosed}
            onChange={changeFirstLines}
            onLeave={() => focusTitle(page.current)}
          />
        )}
        {writing && (
          <Suspense fallback={null}>
            <ContentField
              key={phase.key}
              label="Content"
              document={phase.draft.document}
              at={phase.draft.at}
              onText={(text) => session.attach(text)}
              takeFirstLines={() => {
                const { phase: now } = session.snapshot();
                // It may be opened again for another editor.
                if (now.name !== "writing" || now.key !== phase.key) return null;
                setTextKey(phase.key);
                setFirstLines("");
                return { lines: firstLines, hasFocus: isInFirstLines() };
              }}
              error={errors.content}
              company={company}
              isReading={isClosed}
              onCaret={sendCaret}
              {...cards}
              onLeave={() => focusTitle(page.current)}
              onToolbar={() => flushSync(() => setTools(true))}
              language={fields.language || guessedLanguage}
              onChange={() => {
                session.open?.changed();
                guessSoon();
              }}
              onPictures={(now) => {
                pictures.follow(now);
                session.open?.changed();
              }}
            />
          </Suspense>
        )}
      </div>
      <PublishSheet
        title={isPublished ? "Update" : "Publish"}
        isOpen={hasSheet}
        onClose={() => setSheetOpen(false)}
      >
        <AboutFields
          session={session}
          blog={blog}
          begunId={draft && topic !== null ? draft.blogId : null}
          draftKey={key}
          fields={fields}
          guessedLanguage={guessedLanguage}
          errors={errors}
          cover={cover}
          tags={tagsHandle}
          isReading={isReading}
          onChange={set}
        >
          {hasSheet && (
            <CardPreview
              key={key}
              fields={fields}
              text={() => session.all().document}
              coverUnderWay={cover.underWay?.preview ?? null}
              isOwn={!shared?.owner}
            />
          )}
        </AboutFields>
        <SubmitSection
          blog={blog}
          fields={fields}
          planned={state.schedule}
          errors={errors}
          shared={shared}
          label={label}
          isByKeys={isByKeys}
          sending={sending}
          isReady={writing}
          isReading={isReading}
          startsLive={startsLive}
          onStartsLive={setStartsLive}
          onChange={set}
        />
      </PublishSheet>
    </form>
  );
}
