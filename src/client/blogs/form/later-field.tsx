import { useEffect, useState } from "react";
import { furthestAhead, zoneWords } from "../../../shared/schedule.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { useHydrated } from "../../ui/hydrated.ts";
import { boxOf, isTwice, laterOf, localOf, ownZone, problemOfLater, timeWords, type Later } from "./later.ts";
import "./later-field.css";

interface Props {
  later: Later;
  /** It is planned already, and not only here. */
  isPlanned: boolean;
  error: string | undefined;
  onChange: (later: Later) => void;
  onKeep: () => void;
}

/** When a blog is to be published by itself, by this device's clock, which the server does not know. */
export function LaterField({ later, isPlanned, error, onChange, onKeep }: Props) {
  const isHydrated = useHydrated();
  const now = useMinutes();
  const problem = problemOfLater(later, now);
  const words = isHydrated && later.at !== null && !problem && timeWords(Date.parse(later.at), now);
  return (
    <div className="later">
      <TextField
        label="Day and time"
        name="later"
        type="datetime-local"
        autoComplete="off"
        value={isHydrated ? boxOf(later) : ""}
        min={isHydrated ? localOf(now) : undefined}
        max={isHydrated ? localOf(now + furthestAhead) : undefined}
        // What is half typed is no mistake yet.
        error={error ?? (later.typed ? problem : undefined)}
        hint={isHydrated ? zoneWords(ownZone()) : " "}
        onChange={(event) => onChange(laterOf(event.target.value))}
        onKeyDown={(event) => {
          // A form's only line would send it.
          if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) event.preventDefault();
        }}
      />
      <p className="later-words" role="status">
        {words && `${words}.`}
        {words && isTwice(later) && " This time occurs twice that day. We’ll use the first."}
      </p>
      {isPlanned && (
        <Button size="s" onClick={onKeep}>
          Keep as draft
        </Button>
      )}
    </div>
  );
}

/** The time, anew each half minute. */
function useMinutes(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
