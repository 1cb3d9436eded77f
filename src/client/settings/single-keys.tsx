import { useState } from "react";
import { choose, isChosen, NO_SINGLE_KEYS } from "../storage/device-choice.ts";
import { useHydrated } from "../ui/hydrated.ts";
import { SettingSwitch } from "./setting-switch.tsx";
import "./settings.css";

/** Turns single keys off on this device: software for speech input types letters, too. */
export function SingleKeys() {
  const isStoredOff = useHydrated() && isChosen(NO_SINGLE_KEYS);
  const [chosen, setChosen] = useState<boolean>();
  return (
    <SettingSwitch
      label="Single keys"
      checked={chosen ?? !isStoredOff}
      onChange={(on) => {
        choose(NO_SINGLE_KEYS, !on);
        // A browser that stores nothing keeps them on.
        setChosen(!isChosen(NO_SINGLE_KEYS));
      }}
    >
      Keys like J, L and / act while you’re not typing. This applies to this browser only.
    </SettingSwitch>
  );
}
