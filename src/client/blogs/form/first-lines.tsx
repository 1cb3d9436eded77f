import { TextArea } from "../../ui/field.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import "./first-lines.css";

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
    <div className="first-lines">
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
