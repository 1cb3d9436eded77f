/** The symbols of icons.svg, which the server puts into each page. */
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

/** An icon in the text's colour. Hidden from screen readers: label the control. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg className="icon" width={size} height={size} aria-hidden="true" focusable="false">
      <use href={`#icon-${name}`} />
    </svg>
  );
}
