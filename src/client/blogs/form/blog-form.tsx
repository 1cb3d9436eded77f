import { Suspense, lazy, useEffect, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { messages } from "../../../shared/errors.ts";
import type { EditableBlog } from "../../../shared/blogs.ts";
import type { PicturesUnderWay } from "../../editor/pictures/pictures.ts";
import { trpc } from "../../api/trpc.ts";
import { fetchNeeded } from "../../api/retry.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { onDemand } from "../../ui/on-demand.tsx";
import { clearToasts, toast } from "../../ui/toasts.tsx";
import { useShared } from "../authors/authors-part.tsx";
import { AboutFields } from "./about-fields.tsx";
import { ComingAndGoing, ReadingAlong, WritingNow } from "./company.tsx";
import { useCompany } from "./use-company.ts";
import { useCover } from "./cover-upload.ts";
import { HistoryButton } from "./history/history-button.tsx";
import { useToolbarChoice } from "./toolbar-choice.ts";
import { FormNotices } from "./notices.tsx";
import { PreviewButton } from "./preview-button.tsx";
import { PublishSheet } from "./publish-sheet.tsx";
import { SendPart } from "./send-part.tsx";
import { useSending } from "./sending.ts";
import { useSendingKeys } from "./sending-keys.ts";
import { KeptStatus } from "./status.tsx";
import { TitleField } from "./title-field.tsx";
import { toText, toTitle } from "./title-to-text.ts";
import { useTypedOn } from "./typed-on.ts";
import { loadEditor, useWritingSession } from "./use-writing-session.ts";
import { usePlan } from "./use-plan.ts";
import { submitLabel } from "./values.ts";
import type { BlogFields, FieldErrors } from "./values.ts";
import type { TagsHandle } from "./tags-field.tsx";
import { showLinked } from "./show-linked.ts";
import "./blog-form.css";

const ContentField = lazy(() => fetchNeeded(loadEditor));
const CompareDialog = onDemand(() => import("./compare-dialog.tsx"));
const CardPreview = onDemand(() => import("./card-preview.tsx"));

/** Writes a new blog, or changes one (docs/specification.md, 2.24). What is typed is kept until the server has it. */
export function BlogForm({
  account,
  blog,
  isGone = false,
}: {
  account: string;
  blog: EditableBlog | null;
  /** It was deleted since it was opened here. */
  isGone?: boolean;
}) {
  const { client } = trpc.useUtils();
  const embed = trpc.blogs.embed.useMutation();
  const sayLost = () => toast({ message: messages.connection, kind: "error" });
  const form = useRef<HTMLFormElement>(null);
  const tagsHandle = useRef<TagsHandle>(null);
  const page = useRef<HTMLDivElement>(null);
  const [isSheetOpen, setSheetOpen] = useState(false);
  const [isByKeys, setByKeys] = useState(false);
  const [hasTools, setTools] = useToolbarChoice();
  const [errors, setErrors] = useState<FieldErrors>({});
  const [underWay, setUnderWay] = useState<PicturesUnderWay>({ sending: 0, failed: 0, names: [] });
  const [comparing, setComparing] = useState(false);
  const onTheirWay = useRef<string[]>([]);
  const wasTouched = useRef(false);
  const coverFile = useRef<Blob | null>(null);
  const {
    session,
    phase,
    notice,
    fields,
    isChanged,
    newer,
    others,
    kept,
    sync,
    removed,
    topic,
    heard,
    restart,
  } = useWritingSession(account, blog, () => ({
    file: coverFile.current,
    pictures: onTheirWay.current,
    tags: [...(tagsHandle.current?.withTyped() ?? [])],
  }));
  const shared = useShared(topic === null ? null : session.blogId);
  const writing = phase.name === "writing";

  const set = (change: Partial<BlogFields>) => {
    setErrors((now) => Object.fromEntries(Object.entries(now).filter(([name]) => !(name in change))));
    session.set(change);
  };
  const work = writing ? phase.work : null;
  const { company, hasPlace, isReading, tell } = useCompany(account, topic, work, sync);
  const isClosed = isReading || removed !== null;
  useTypedOn(form, isClosed);
  // There is room again: what could not be sent is.
  useEffect(() => {
    if (hasPlace && sync.name === "full") session.lookAgain();
  }, [session, hasPlace, sync.name]);
  const cover = useCover(
    fields.cover,
    () => session.all().cover,
    (picture) => set({ cover: picture }),
    (file) => {
      coverFile.current = file;
      session.changed();
    },
  );

  const key = writing ? phase.key : 0;
  useLayoutEffect(() => {
    if (!work) return;
    setErrors({});
    // A cover that was chosen before the form was ready is what was chosen last.
    if (key === 1 && cover.isUnderWay()) return;
    if (work.file) cover.choose(work.file);
    else if (cover.isUnderWay()) cover.cancel();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each piece of work
  }, [key]);

  const isTouched = sync.name !== "saved" || kept === "saving" || kept === "saved" || wasTouched.current;
  wasTouched.current = isTouched;
  useEffect(() => {
    if (kept !== "failed" || sync.name === "saved" || !isTouched) return;
    // The one case in which leaving loses something.
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [kept, sync.name, isTouched]);

  const { sending, submit, goToSignIn } = useSending({
    form,
    tags: tagsHandle,
    session,
    isNew: blog === null,
    cover,
    pictures: underWay,
    setErrors,
    setSheetOpen,
    onApart: () => setComparing(true),
  });
  useEffect(() => {
    if (isGone && key > 0 && !sending) void session.gone();
  }, [session, isGone, key, sending]);

  usePlan({ blog, session, later: fields.later, isSending: sending });
  useEffect(() => {
    if (!newer) setComparing(false);
  }, [newer, setComparing]);

  const label = submitLabel(fields, blog !== null);
  const isPublished = blog !== null && !blog.draft;
  const opener = isPublished ? "Update…" : "Publish…";
  const hasSheet = isSheetOpen && removed === null;
  const toggleSheet = (isOpen: boolean): void => {
    // What was said of the text would lie over the button that publishes.
    if (isOpen) clearToasts();
    setSheetOpen(isOpen);
  };
  useSendingKeys({
    form,
    session,
    isApart: newer !== null,
    maySend: !sending && work !== null && !isClosed,
    isShown: phase.name !== "broken",
    openSheet: () => {
      toggleSheet(true);
      setByKeys(true);
    },
  });

  if (phase.name === "broken") {
    return (
      <EmptyState
        title="We couldn’t load the editor"
        action={
          <Button kind="primary" onClick={restart}>
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
      <div className="blog-form-strip" hidden={removed !== null}>
        <KeptStatus sync={sync} kept={kept} isTouched={isTouched} />
        <WritingNow others={company.others} />
        <div className="blog-form-acts">
          {writing && !isClosed && (
            <Button
              size="s"
              kind="quiet"
              className="blog-form-tools"
              aria-label="All tools"
              aria-expanded={hasTools}
              // The text keeps the focus and its selection.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => setTools(!hasTools)}
            >
              Aa
            </Button>
          )}
          {blog && work && (
            <HistoryButton
              session={session}
              blogId={work.blogId}
              held={() => session.all()}
              heldKey={`${key} ${heard}`}
              coverUnderWay={cover.underWay}
            />
          )}
          {work && <PreviewButton session={session} blogId={work.blogId} />}
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
        notice={notice}
        isChanged={isChanged && blog !== null && !blog.draft && !blog.live && !sending && !removed}
        isApart={newer !== null && !sending}
        isSignedOut={sync.name === "signed-out"}
        isKept={kept !== "failed"}
        removed={removed}
        onSignIn={goToSignIn}
        others={others}
        onCompare={() => setComparing(true)}
        onDiscard={() => {
          if (cover.isUnderWay()) cover.cancel();
          // Half a tag goes, and comes back, with the others.
          tagsHandle.current?.settle();
          void session.discard().catch(sayLost);
        }}
        onAnother={() => void session.turnTo(null).catch(sayLost)}
        onClose={() => session.closeNotice()}
        onTakeUp={(id) => void session.turnTo(id).catch(sayLost)}
      />
      {isReading && <ReadingAlong isSaved={session.isSettled()} />}
      <ComingAndGoing others={company.others} isReading={isReading} />
      <div className="blog-form-text" ref={page}>
        <TitleField
          value={fields.title}
          error={errors.title}
          isReading={isClosed}
          isFirst={blog === null}
          onChange={(title) => set({ title })}
          onLeave={() => toText(page.current)}
        />
        {writing ? (
          <Suspense fallback={<Skeleton height="26rem" />}>
            <ContentField
              key={phase.key}
              label="Content"
              document={phase.work.document}
              at={phase.work.at}
              onText={(text) => session.attach(text)}
              error={errors.content}
              company={company}
              isReading={isClosed}
              onCaret={tell}
              look={async (href) => (await embed.mutateAsync({ href })).card}
              showBlog={(place, slug) => showLinked(place, client.blogs.linked.query({ slugs: [slug] }))}
              onLeave={() => toTitle(page.current)}
              onToolbar={() => flushSync(() => setTools(true))}
              language={fields.language || blog?.guessedLanguage || ""}
              onChange={() => session.changed()}
              onPictures={(now) => {
                setUnderWay(now);
                onTheirWay.current = now.names;
                session.changed();
              }}
            />
          </Suspense>
        ) : (
          <Skeleton height="26rem" />
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
          begunId={work && topic !== null ? work.blogId : null}
          workKey={key}
          fields={fields}
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
        <SendPart
          blog={blog}
          fields={fields}
          errors={errors}
          shared={shared}
          label={label}
          isByKeys={isByKeys}
          sending={sending}
          isReady={writing}
          isReading={isReading}
          onChange={set}
        />
      </PublishSheet>
      {comparing && newer && (
        <CompareDialog
          theirs={newer}
          mine={session.all()}
          base={null}
          coverUnderWay={cover.underWay}
          onClose={() => setComparing(false)}
          onFail={() => setComparing(false)}
          onChoose={(chosen, _ownCover, save) => {
            setComparing(false);
            void session
              .choose(chosen)
              .then(() => save && requestAnimationFrame(() => form.current?.requestSubmit()), sayLost);
          }}
        />
      )}
    </form>
  );
}
