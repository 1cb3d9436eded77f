import { ToolbarItem } from "@ariakit/react/toolbar";
import { useState } from "react";
import { setsSigns, setSigns } from "../sets-signs.ts";
import { ToolIcon } from "./tool-icons.tsx";

const name = "Smart quotes and dashes";

/** Whether quotation marks and dashes are set as they are typed, on this device. */
export function SignsButton() {
  const [isOn, setOn] = useState(setsSigns);
  return (
    <ToolbarItem
      className="editor-tool"
      aria-label={name}
      aria-pressed={isOn}
      data-tip={name}
      onClick={() => {
        setSigns(!isOn);
        setOn(!isOn);
      }}
    >
      <ToolIcon name="signs" />
    </ToolbarItem>
  );
}
