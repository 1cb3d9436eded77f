import "./icon.css";

/** The drawings of icons.svg, which the server puts into each page once; using one here costs no script. */
export type IconName =
  | "home"
  | "pen"
  | "compass"
  | "bell"
  | "menu"
  | "close"
  | "heart"
  | "heart-filled"
  | "bookmark"
  | "bookmark-filled"
  | "comment"
  | "reply"
  | "eye"
  | "eye-off"
  | "check"
  | "chevron-down"
  | "chevron-left"
  | "chevron-right"
  | "trash"
  | "edit"
  | "lock"
  | "draft"
  | "sun"
  | "moon"
  | "system"
  | "log-in"
  | "log-out"
  | "user"
  | "users"
  | "settings"
  | "search"
  | "image"
  | "plus"
  | "wifi-off"
  | "retry"
  | "google"
  | "warning"
  | "arrow-up"
  | "copy"
  | "share";

/** An icon in the colour of the text around it. Hidden from screen readers: name the control, not the drawing. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg className="icon" width={size} height={size} aria-hidden="true" focusable="false">
      <use href={`#icon-${name}`} />
    </svg>
  );
}
