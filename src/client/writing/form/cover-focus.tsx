import { useRef } from "react";
import type { CSSProperties, PointerEvent } from "react";
import type { CoverPoint, Picture } from "../../../shared/blogs.ts";
import { pictureProps } from "../../blogs/cards/picture-props.ts";
import { focusAt, focusByKey, focusWords, middle } from "./cover-point.ts";

interface Props {
  picture: Picture;
  onAim: (focus: CoverPoint | null) => void;
}

/** The cover with a handle on the point that stays visible in every crop: dragged, set by a click, or moved by arrow keys. */
export function CoverFocus({ picture, onAim }: Props) {
  const surface = useRef<HTMLDivElement>(null);
  const handle = useRef<HTMLButtonElement>(null);
  /** The grabbed point's distance from the handle's centre, in pixels. */
  const grabOffset = useRef<{ x: number; y: number } | null>(null);
  const { x, y } = picture.focus ?? middle;

  const moveTo = (clientX: number, clientY: number) => {
    const box = surface.current?.getBoundingClientRect();
    if (!box || handle.current?.matches(":disabled")) return;
    onAim(focusAt(((clientX - box.left) / box.width) * 100, ((clientY - box.top) / box.height) * 100));
  };
  const startDrag = (event: PointerEvent<HTMLButtonElement>) => {
    if (event.button !== 0) return;
    const box = event.currentTarget.getBoundingClientRect();
    grabOffset.current = {
      x: event.clientX - (box.left + box.width / 2),
      y: event.clientY - (box.top + box.height / 2),
    };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const endDrag = () => (grabOffset.current = null);

  return (
    <div
      ref={surface}
      className="cover-focus"
      role="presentation"
      style={{ "--ratio": Math.max(0.3, picture.width / picture.height) } as CSSProperties}
      onClick={({ target, clientX, clientY }) => {
        if (handle.current?.contains(target as Node)) return;
        moveTo(clientX, clientY);
        handle.current?.focus({ preventScroll: true });
      }}
      onDoubleClick={() => !handle.current?.matches(":disabled") && onAim(null)}
    >
      <img
        {...pictureProps(picture)}
        className="cover-picture"
        sizes="(max-width: 63.99rem) 100vw, 22rem"
        alt=""
        draggable={false}
      />
      <button
        ref={handle}
        type="button"
        className="cover-handle"
        style={{ left: `${x}%`, top: `${y}%` }}
        role="slider"
        aria-label="Focus of the cover"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={x}
        aria-valuetext={focusWords({ x, y })}
        onPointerDown={startDrag}
        onPointerMove={({ clientX, clientY }) =>
          grabOffset.current && moveTo(clientX - grabOffset.current.x, clientY - grabOffset.current.y)
        }
        onPointerUp={endDrag}
        onPointerCancel={endDrag}
        onKeyDown={(event) => {
          if (event.ctrlKey || event.metaKey || event.altKey) return;
          const next = focusByKey({ x, y }, event.key, event.shiftKey);
          if (next === undefined) return;
          event.preventDefault();
          onAim(next);
        }}
      />
    </div>
  );
}

/** The position of the handle in words, or a hint. */
export const FocusWords = ({ focus }: Pick<Picture, "focus">) => (
  <p className="note tabular">{focus ? focusWords(focus) : "Drag the ring to what should stay visible"}</p>
);
