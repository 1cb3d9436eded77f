import { ToolbarItem } from "@ariakit/react/toolbar";
import { useState } from "react";
import { hasSmartQuotes, setSmartQuotes } from "../smart-quotes.ts";
import { ToolIcon } from "./tool-icons.tsx";

const name = "Smart quotes and dashes";

/** Toggles smart quotes and dashes on this device. */
export function SmartQuotesButton() {
  const [isOn, setOn] = useState(hasSmartQuotes);
  return (
    <ToolbarItem
      className="editor-tool"
      aria-label={name}
      aria-pressed={isOn}
      data-tip={name}
      onClick={() => {
        setSmartQuotes(!isOn);
        setOn(!isOn);
      }}
    >
      <ToolIcon name="signs" />
    </ToolbarItem>
  );
}
