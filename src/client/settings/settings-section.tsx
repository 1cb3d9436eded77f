import { useEffect, useRef } from "react";
import type { ReactNode } from "react";
import { Icon } from "../ui/icon.tsx";
import { useMediaQuery } from "../ui/use-media-query.ts";

/** The sections of the settings in their order. */
export const settingsSections = {
  privacy: "Privacy",
  notifications: "Notifications",
  muted: "Muted",
  blocked: "Blocked people",
  interests: "Interests",
  feed: "Your feed",
  theme: "Theme",
  keys: "Keyboard",
  access: "Signing in",
  steps: "Two-factor authentication and passkeys",
  sessions: "Where you are signed in",
  import: "Import",
  export: "Export",
  account: "Account",
};

interface Props {
  name: keyof typeof settingsSections;
  /** Beside the heading on wide screens. */
  action?: ReactNode;
  children: ReactNode;
}

/** A section that opens on narrow screens; on wide ones all are open, by the style sheet alone until scripts run. */
export function SettingsSection({ name, action, children }: Props) {
  const part = useRef<HTMLDetailsElement>(null);
  const isNarrow = useMediaQuery("(max-width: 51.24rem)");
  // A window that becomes narrow closes no section, which may have something typed.
  useEffect(() => {
    if (!isNarrow) part.current!.open = true;
  }, [isNarrow]);
  return (
    <section className="settings-section" aria-labelledby={`settings-${name}`}>
      <details ref={part}>
        <summary className="row between gap-4" tabIndex={isNarrow ? undefined : -1}>
          <h2 id={`settings-${name}`}>{settingsSections[name]}</h2>
          <Icon name="chevron-down" />
        </summary>
        <div className="stack settings-body">
          {action && <div className="settings-action">{action}</div>}
          {children}
        </div>
      </details>
    </section>
  );
}
