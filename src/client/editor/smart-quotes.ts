/** Set when smart quotes and dashes are off on this device. */
const key = "editor:plainSigns";

/** Whether quotes, dashes and the like follow the language as they are typed. */
export function hasSmartQuotes(): boolean {
  try {
    return localStorage.getItem(key) === null;
  } catch {
    return true;
  }
}

export function setSmartQuotes(wanted: boolean): void {
  try {
    if (wanted) localStorage.removeItem(key);
    else localStorage.setItem(key, "yes");
  } catch {
    // Without storage they stay on.
  }
}
