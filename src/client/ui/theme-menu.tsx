import { useSyncExternalStore } from "react";
import { Icon } from "./icon.tsx";
import type { IconName } from "./icon.tsx";
import { Menu } from "./menu.tsx";
import type { MenuEntry } from "./menu.tsx";
import { currentTheme, setTheme } from "./theme.ts";
import type { Theme } from "./theme.ts";

export const themes: readonly { theme: Theme; label: string; icon: IconName }[] = [
  { theme: "light", label: "Light", icon: "sun" },
  { theme: "dark", label: "Dark", icon: "moon" },
  { theme: "system", label: "System", icon: "system" },
];

function subscribe(listener: () => void): () => void {
  addEventListener("themechange", listener);
  return () => removeEventListener("themechange", listener);
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, currentTheme, () => "system");
}

export const themeEntries = (chosen: Theme): MenuEntry[] =>
  themes.map(({ theme, label, icon }) => ({
    label,
    icon,
    checked: theme === chosen,
    run: () => setTheme(theme),
  }));

/** The theme menu for guests. */
export function ThemeMenu() {
  const theme = useTheme();
  return (
    <Menu label="Theme" className="icon-button" entries={themeEntries(theme)}>
      <Icon name={themes.find((entry) => entry.theme === theme)!.icon} />
    </Menu>
  );
}
