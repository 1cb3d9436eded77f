import { useEffect, useEffectEvent, useState } from "react";
import { Icon } from "./icon.tsx";
import type { Toast } from "./toasts.tsx";

const SHOWN_FOR = { plain: 5_000, success: 4_000, error: 8_000 };
const WITH_ACTION = 8_000;

/**
 * A message at the bottom of the page. Not loaded on demand: it often reports a missing network. Stays while it has pointer or
 * focus.
 */
export function ToastCard({ toast, onEnd }: { toast: Toast; onEnd: () => void }) {
  const [isHovered, setHovered] = useState(false);
  const { kind = "plain", message, action, secondAction } = toast;
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    if (isHovered) return;
    const timer = setTimeout(() => end(), action ? WITH_ACTION : SHOWN_FOR[kind]);
    return () => clearTimeout(timer);
  }, [isHovered, action, kind]);
  return (
    <div
      className="row gap-3 small toast"
      data-kind={kind}
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      onFocus={() => setHovered(true)}
      onBlur={() => setHovered(false)}
    >
      {kind !== "plain" && <Icon name={kind === "success" ? "check" : "warning"} />}
      <p className="toast-text">{message}</p>
      {[action, secondAction].map(
        (item) =>
          item && (
            <button
              key={item.label}
              type="button"
              className="target fixed strong underline toast-action"
              onClick={() => {
                onEnd();
                item.run();
              }}
            >
              {item.label}
            </button>
          ),
      )}
      <button type="button" className="stack center fixed toast-close" aria-label="Dismiss" onClick={onEnd}>
        <Icon name="close" />
      </button>
    </div>
  );
}
