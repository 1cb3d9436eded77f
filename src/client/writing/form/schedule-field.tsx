import { useEffect, useRef, useState } from "react";
import { maxScheduleAhead, zoneLabel } from "../../../shared/schedule.ts";
import { TextField } from "../../ui/field.tsx";
import { ignoreEnter } from "./form-keys.ts";
import { useHydrated } from "../../ui/hydrated.ts";
import {
  inputValue,
  isAmbiguousTime,
  scheduleFromInput,
  toLocalInput,
  ownZone,
  scheduledTimeProblem,
  timeText,
} from "./schedule-time.ts";
import { type ScheduledTime } from "../draft-fields.ts";
import type { EditableBlog } from "../../../shared/blogs.ts";
import { toast } from "../../ui/toasts.tsx";
import type { DraftSession } from "../draft-session.ts";

interface Props {
  later: ScheduledTime;
  error: string | undefined;
  onChange: (later: ScheduledTime) => void;
}

/** A scheduled time in this device's time zone, which the server does not know. */
export function ScheduleField({ later, error, onChange }: Props) {
  const isHydrated = useHydrated();
  const now = useMinutes();
  const problem = scheduledTimeProblem(later, now);
  const summary = isHydrated && later.at !== null && !problem && timeText(Date.parse(later.at), now);
  return (
    <div className="later stack gap-2 start small">
      <TextField
        label="Day and time"
        name="later"
        type="datetime-local"
        autoComplete="off"
        value={isHydrated ? inputValue(later) : ""}
        min={isHydrated ? toLocalInput(now) : undefined}
        max={isHydrated ? toLocalInput(now + maxScheduleAhead) : undefined}
        // A half-typed time is no error yet.
        error={error ?? (later.typed ? problem : undefined)}
        hint={isHydrated ? zoneLabel(ownZone()) : " "}
        onChange={(event) => onChange(scheduleFromInput(event.target.value))}
        onKeyDown={ignoreEnter}
      />
      <p role="status">
        {summary && `${summary}.`}
        {summary && isAmbiguousTime(later) && " This time occurs twice that day. We’ll use the first."}
      </p>
    </div>
  );
}

function useMinutes(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

interface ScheduleSyncOptions {
  blog: EditableBlog | null;
  session: DraftSession;
  /** The number of the open draft. */
  draftKey: number;
  isSending: boolean;
}

/** Applies schedule changes from elsewhere to the form, and announces the publication. */
export function useScheduleSync({ blog, session, draftKey, isSending }: ScheduleSyncOptions): void {
  const wasPlanned = useRef(false);
  useEffect(() => {
    if (wasPlanned.current && blog && !blog.draft && !isSending)
      toast({ message: `“${blog.title}” is published now.`, kind: "success" });
    wasPlanned.current = Boolean(blog?.schedule);
  }, [blog, isSending]);

  const schedule = blog?.schedule;
  useEffect(() => {
    if (schedule !== undefined) session.open?.record({ schedule });
  }, [session, schedule, draftKey]);
}
