/** What was typed before the editor was loaded. */
interface EarlyWords {
  title: string;
  lines: string;
}

const keyOf = (account: string, blogId: string | null): string => `early-words:${account}:${blogId ?? "new"}`;

/** Stores the words for the page's next load in this tab. Returns whether they are stored. */
export function keepEarlyWords(account: string, blogId: string | null, words: EarlyWords): boolean {
  try {
    sessionStorage.setItem(keyOf(account, blogId), JSON.stringify(words));
    return true;
  } catch {
    return false;
  }
}

/** Returns the words that the page's last load stored, once. */
export function takeEarlyWords(account: string, blogId: string | null): EarlyWords | null {
  try {
    const stored = sessionStorage.getItem(keyOf(account, blogId));
    sessionStorage.removeItem(keyOf(account, blogId));
    return stored === null ? null : (JSON.parse(stored) as EarlyWords);
  } catch {
    return null;
  }
}
