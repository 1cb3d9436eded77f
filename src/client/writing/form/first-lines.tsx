import { TextArea } from "../../ui/field.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

interface Props {
  lines: string;
  isReading: boolean;
  onChange: (lines: string) => void;
  /** Called when the author moves back to the title. */
  onLeave: () => void;
}

/** Takes the place of the text until the editor is loaded, which then begins with these lines. Visible once it has the focus. */
export function FirstLines({ lines, isReading, onChange, onLeave }: Props) {
  return (
    <div className="first-lines stack">
      <TextArea
        isLabelHidden
        label="Beginning of the text"
        className="first-lines-box"
        placeholder=" "
        rows={1}
        dir="auto"
        autoComplete="off"
        readOnly={isReading}
        value={lines}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Backspace" || lines !== "") return;
          event.preventDefault();
          onLeave();
        }}
      />
      <Skeleton height="26rem" />
    </div>
  );
}

/** What was typed before the editor was loaded. */
interface EarlyWords {
  title: string;
  lines: string;
}

const keyOf = (account: string, blogId: string | null): string => `early-words:${account}:${blogId ?? "new"}`;

/** Stores the words for the page's next load in this tab. Returns whether they are stored. */
export function keepEarlyWords(account: string, blogId: string | null, words: EarlyWords): boolean {
  try {
    sessionStorage.setItem(keyOf(account, blogId), JSON.stringify(words));
    return true;
  } catch {
    return false;
  }
}

/** Returns the words that the page's last load stored, once. */
export function takeEarlyWords(account: string, blogId: string | null): EarlyWords | null {
  try {
    const stored = sessionStorage.getItem(keyOf(account, blogId));
    sessionStorage.removeItem(keyOf(account, blogId));
    return stored === null ? null : (JSON.parse(stored) as EarlyWords);
  } catch {
    return null;
  }
}
