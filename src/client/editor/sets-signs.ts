/** What was chosen on this device: signs stay as they are typed. */
const key = "editor:plainSigns";

/** Whether quotation marks, dashes and the like are set by the language as they are typed. */
export function setsSigns(): boolean {
  try {
    return localStorage.getItem(key) === null;
  } catch {
    return true;
  }
}

/** Chooses it for this device. */
export function setSigns(wanted: boolean): void {
  try {
    if (wanted) localStorage.removeItem(key);
    else localStorage.setItem(key, "yes");
  } catch {
    // A browser that keeps nothing sets them.
  }
}
