import { Suspense, lazy, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { messages } from "../../../shared/errors.ts";
import { limits } from "../../../shared/limits.ts";
import type { EditableBlog } from "../../../shared/blogs.ts";
import type { PicturesUnderWay } from "../../editor/pictures/pictures.ts";
import { fetchNeeded } from "../../api/retry.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty.tsx";
import { TextArea } from "../../ui/field.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { confirm } from "../../ui/confirm.tsx";
import { onDemand } from "../../ui/on-demand.tsx";
import { modKey } from "../../ui/shown-keys.ts";
import { useViewer } from "../../session/viewer.ts";
import { AddressField } from "./address-field.tsx";
import { changesOf, typedEarly } from "./early.ts";
import { CoverField } from "./cover-field.tsx";
import { useCover } from "./cover-upload.ts";
import { FormNotices } from "./notices.tsx";
import { useSending } from "./sending.ts";
import { KeptStatus, useTwoColumns } from "./status.tsx";
import { loadEditor, useFormSession } from "./use-form-session.ts";
import { VisibilityFields } from "./visibility.tsx";
import { audienceOf, emptyFields, fieldsOf, maxLength, problemsOf, submitLabel } from "./values.ts";
import type { BlogFields, FieldErrors } from "./values.ts";
import { TagsField } from "./tags-field.tsx";
import type { TagsHandle } from "./tags-field.tsx";
import "./blog-form.css";

const ContentField = lazy(() => fetchNeeded(loadEditor));
const CompareDialog = onDemand(() => import("./compare-dialog.tsx"));

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
  const viewer = useViewer();
  const form = useRef<HTMLFormElement>(null);
  const tagsHandle = useRef<TagsHandle>(null);
  const [fields, setFields] = useState<BlogFields>(() => (blog ? fieldsOf(blog) : emptyFields()));
  const wide = useTwoColumns();
  const [errors, setErrors] = useState<FieldErrors>({});
  const [underWay, setUnderWay] = useState<PicturesUnderWay>({ sending: 0, failed: 0, names: [] });
  const onTheirWay = useRef<string[]>([]);
  // What the journal reads between two renders: state would be one behind.
  const latest = useRef(fields);
  const readDocument = useRef(() => fields.document);
  const coverFile = useRef<Blob | null>(null);

  /** All that was written, also what is in the tags' box still. */
  const held = (): BlogFields => ({
    ...latest.current,
    tags: [...(tagsHandle.current?.withTyped() ?? latest.current.tags)],
    document: readDocument.current(),
  });
  const { session, phase, notice, newer, others, kept, restart } = useFormSession(account, blog, () => ({
    fields: held(),
    cover: coverFile.current,
    pictures: onTheirWay.current,
  }));
  const writing = phase.name === "writing";

  const set = (change: Partial<BlogFields>) => {
    latest.current = { ...latest.current, ...change };
    setFields(latest.current);
    const names: Record<string, keyof FieldErrors> = {
      title: "title",
      description: "description",
      tags: "tags",
      cover: "cover",
      address: "address",
    };
    setErrors((now) =>
      Object.fromEntries(
        Object.entries(now).filter(
          ([name]) => !Object.keys(change).some((changed) => names[changed] === name),
        ),
      ),
    );
    session.changed();
  };
  const cover = useCover(
    fields.cover,
    () => latest.current.cover,
    (picture) => set({ cover: picture }),
    (file) => {
      coverFile.current = file;
      session.changed();
    },
  );

  const work = writing ? phase.work : null;
  const key = writing ? phase.key : 0;
  useLayoutEffect(() => {
    // Before anything is drawn anew: what was typed while the page was still waking up stands in the boxes alone.
    const typed = typedEarly(form.current, latest.current);
    if (Object.keys(typed).length > 0) set(typed);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once
  }, []);
  useLayoutEffect(() => {
    if (!work) return;
    const typed = key === 1 ? changesOf(latest.current, blog ? fieldsOf(blog) : emptyFields()) : {};
    const apart = notice?.kind === "restored" && !blog && Object.keys(typed).length > 0;
    if (apart) void session.setAside({ ...emptyFields(), ...typed });
    latest.current = { ...work.fields, ...(apart ? {} : typed) };
    readDocument.current = () => work.fields.document;
    setFields(latest.current);
    setErrors({});
    // A cover that was chosen before the form was ready is what was chosen last.
    const chosen = key === 1 && cover.isUnderWay();
    if (chosen || Object.keys(typed).length > 0) session.changed();
    if (chosen) return;
    if (work.cover) cover.choose(work.cover);
    else if (cover.isUnderWay()) cover.cancel();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each piece of work
  }, [key]);

  useEffect(() => {
    if (kept !== "failed") return;
    // The one case in which leaving loses something.
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [kept]);

  const { sending, submit, comparing, setComparing } = useSending({
    form,
    tags: tagsHandle,
    session,
    work,
    held,
    cover,
    pictures: underWay,
    setErrors,
  });
  // A save that is on its way hears by its answer how things stand.
  useEffect(() => {
    if (blog && key > 0 && !sending) void session.stands(blog);
  }, [session, blog, key, sending]);
  useEffect(() => {
    if (isGone && key > 0 && !sending) void session.gone();
  }, [session, isGone, key, sending]);

  useEffect(() => {
    if (!newer) setComparing(false);
  }, [newer, setComparing]);

  const label = submitLabel(fields, session.base !== null);
  /** One slip of the keyboard publishes nothing: the keys ask who may read it, and pressed anew they say yes. */
  const sendByKeys = async () => {
    if (sending || !work) return;
    const now = { ...latest.current };
    const audience = audienceOf(viewer?.private ? { ...now, private: true } : now);
    if (audience === 0 || Object.keys(problemsOf(now)).length > 0 || newer)
      return form.current?.requestSubmit();
    const isShown = blog !== null && !blog.draft;
    const readers = audience === 1 ? "Your followers" : "Everybody";
    const isSure = await confirm({
      title: isShown ? "Update this blog?" : "Publish this blog?",
      body: `${readers} will be able to read it as it stands here. Press ${modKey()} and Enter again to do so.`,
      action: label,
      byKeys: true,
    });
    if (isSure) form.current?.requestSubmit();
  };

  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey)) return;
    if (event.key === "Enter") {
      event.preventDefault();
      if (!event.repeat) void sendByKeys();
    } else if (event.key === "s" && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      void session.keep();
    }
  });
  const shown = phase.name !== "elsewhere" && phase.name !== "broken";
  useEffect(() => {
    // On the element itself: React's events would come from popovers, too, which hang elsewhere in the page.
    const element = form.current;
    element?.addEventListener("keydown", pressed);
    return () => element?.removeEventListener("keydown", pressed);
  }, [shown]);

  if (phase.name === "elsewhere") {
    return (
      <EmptyState
        title="You are writing this in another tab"
        action={
          <Button kind="primary" onClick={() => restart(true)}>
            Continue here
          </Button>
        }
      >
        Nothing is lost: what you typed there comes along.
      </EmptyState>
    );
  }
  if (phase.name === "broken") {
    return (
      <EmptyState
        title="The editor could not be loaded"
        action={
          <Button kind="primary" onClick={() => restart(false)}>
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
      method="post"
      noValidate
      onSubmit={(event) => void submit(event)}
      aria-busy={sending || undefined}
    >
      <FormNotices
        notice={notice}
        changedElsewhere={newer !== null && !sending}
        onCompare={() => setComparing(true)}
        others={others}
        onDiscard={() => void session.discard()}
        onUndo={(aside) => void session.undo(aside)}
        onClose={() => session.closeNotice()}
        onTakeUp={(entry) => void session.takeUp(entry)}
        onDrop={(entry) => void session.dropOther(entry)}
      />
      <div className="blog-form-text">
        <TextArea
          label="Title"
          name="title"
          className="blog-form-title"
          rows={1}
          autoComplete="off"
          required
          value={fields.title}
          maxLength={maxLength(fields.title, limits.title.max)}
          counter={{ value: fields.title, max: limits.title.max }}
          error={errors.title}
          // A title is one line that may be shown in several.
          onChange={(event) => set({ title: event.target.value.replace(/[\r\n]+/g, " ") })}
          onKeyDown={(event) => {
            if (event.key === "Enter" && !event.nativeEvent.isComposing && !event.ctrlKey && !event.metaKey)
              event.preventDefault();
          }}
        />
        {writing ? (
          <Suspense fallback={<Skeleton height="26rem" />}>
            <ContentField
              key={phase.key}
              label="Content"
              document={phase.work.fields.document}
              error={errors.content}
              status={!wide && <KeptStatus kept={kept} apart={newer !== null} />}
              onChange={(read) => {
                readDocument.current = read;
                session.changed();
              }}
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
      <div className="blog-form-side">
        <div className="blog-form-about">
          <TextArea
            label="Description"
            name="description"
            rows={3}
            autoComplete="off"
            placeholder="What it is about, in two lines"
            value={fields.description}
            maxLength={maxLength(fields.description, limits.description.max)}
            counter={{ value: fields.description, max: limits.description.max }}
            error={errors.description}
            onChange={(event) => set({ description: event.target.value })}
          />
          <AddressField
            key={`address ${Math.max(1, key)}`}
            current={session.base === null ? null : ((newer ?? blog)?.slug ?? null)}
            wish={fields.address}
            error={errors.address}
            onChange={(address) => set({ address })}
          />
          <TagsField
            // Another piece of work does not inherit what was typed for this one; the first one does.
            key={Math.max(1, key)}
            tags={fields.tags}
            handle={tagsHandle}
            error={errors.tags}
            onChange={(tags) => set({ tags })}
            onTyping={() => session.changed()}
          />
          <CoverField cover={cover} error={errors.cover} />
        </div>
        {/* Who will read it stands beside what publishes it, however much is above. */}
        <div className="blog-form-send">
          <VisibilityFields draft={fields.draft} closed={fields.private} onChange={set} />
          <Button
            type="submit"
            kind="primary"
            busy={sending}
            disabled={!writing}
            className="blog-form-submit"
          >
            {label}
          </Button>
          {/* In sight while somebody writes: beside the button, which stays there on wide screens, or under the text. */}
          {wide && <KeptStatus kept={kept} apart={newer !== null} />}
        </div>
      </div>
      {comparing && newer && (
        <CompareDialog
          key={newer.version}
          theirs={newer}
          mine={held()}
          base={session.began}
          coverUnderWay={cover.underWay}
          onClose={() => setComparing(false)}
          onFail={() => setComparing(false)}
          onChoose={(chosen, ownCover, save) => {
            setComparing(false);
            const isSettled = session.settle(newer, chosen, ownCover ? coverFile.current : null);
            if (save) void isSettled.then(() => requestAnimationFrame(() => form.current?.requestSubmit()));
          }}
        />
      )}
    </form>
  );
}
