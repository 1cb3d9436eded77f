/*
 * The accounts that signed out on this device. Their unsent texts are deleted, and no tab, even one from the back/forward
 * cache, stores more until they sign in again.
 */

const KEY = "reprise:left";
const maxAccounts = 20;

interface SignedOutAccount {
  id: string;
  /** Their unsent texts are deleted; else the next page of this browser does it. */
  isDeleted: boolean;
}

function read(): SignedOutAccount[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(list) ? (list as SignedOutAccount[]) : [];
  } catch {
    return [];
  }
}

function write(list: SignedOutAccount[]): void {
  try {
    if (list.length > 0) localStorage.setItem(KEY, JSON.stringify(list.slice(-maxAccounts)));
    else localStorage.removeItem(KEY);
  } catch {
    // Storage is full or forbidden: nothing else could be stored either.
  }
}

/** Whether nothing may be stored here for this account. */
export const hasSignedOut = (id: string): boolean => read().some((account) => account.id === id);

/** Returns the accounts whose unsent texts must still be deleted here. */
export const accountsToClear = (): string[] =>
  read()
    .filter(({ isDeleted }) => !isDeleted)
    .map(({ id }) => id);

/** Records that an account signed out, and whether its unsent texts are deleted. */
export const recordSignOut = (id: string, isDeleted: boolean): void =>
  write([...read().filter((account) => account.id !== id), { id, isDeleted }]);

/** Records that an account signed in here. */
export function recordSignIn(id: string): void {
  if (hasSignedOut(id)) write(read().filter((account) => account.id !== id));
}
