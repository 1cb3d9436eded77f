import { useState } from "react";
import { hasSmartQuotes, setSmartQuotes } from "../smart-quotes.ts";
import { IconButton } from "./tool-button.tsx";

/** Toggles smart quotes and dashes on this device. */
export function SmartQuotesButton() {
  const [isOn, setOn] = useState(hasSmartQuotes);
  return (
    <IconButton
      name="Smart quotes and dashes"
      icon="signs"
      aria-pressed={isOn}
      onClick={() => {
        setSmartQuotes(!isOn);
        setOn(!isOn);
      }}
    />
  );
}
