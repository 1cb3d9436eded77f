/*
 * The accounts that signed out on this device by themselves: nothing that they wrote is kept here any more until they are back. A
 * tab that is still open, or comes back frozen, keeps nothing for them either.
 */

const KEY = "reprise:left";
const most = 20;

interface Left {
  id: string;
  /** What they wrote is deleted; until then the next page of this browser does it. */
  isDeleted: boolean;
}

function read(): Left[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(list) ? (list as Left[]) : [];
  } catch {
    return [];
  }
}

function write(list: Left[]): void {
  try {
    if (list.length > 0) localStorage.setItem(KEY, JSON.stringify(list.slice(-most)));
    else localStorage.removeItem(KEY);
  } catch {
    // Storage is full or forbidden: nothing else could be kept either.
  }
}

/** Whether nothing is to be kept here for this account. */
export const hasLeft = (id: string): boolean => read().some((one) => one.id === id);

/** The accounts whose work is still to be deleted here. */
export const toDelete = (): string[] =>
  read()
    .filter(({ isDeleted }) => !isDeleted)
    .map(({ id }) => id);

/** Notes that an account signed out, and whether what it wrote here is deleted. */
export const noteLeft = (id: string, isDeleted: boolean): void =>
  write([...read().filter((one) => one.id !== id), { id, isDeleted }]);

/** Notes that an account is signed in here. */
export function noteBack(id: string): void {
  if (hasLeft(id)) write(read().filter((one) => one.id !== id));
}
