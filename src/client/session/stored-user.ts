import type { Viewer } from "../../shared/users.ts";

import { recordSignIn } from "./signed-out-accounts.ts";

/** The local storage key of docs/specification.md, 3.1. Its `token` is the session's public handle. */
const KEY = "user";
/** The key of 3.4: the open blog (blogs/article/selected-blog.ts). */
export const SELECTED_BLOG = "selectedBlog";

interface StoredUser {
  token: string;
  name: string;
  username: string;
  email: string;
  id: string;
  profilePic: string | null;
  followers: string[];
  following: string[];
  interests: string[];
}

function read(): StoredUser | null {
  try {
    const value = JSON.parse(localStorage.getItem(KEY) ?? "null") as Partial<StoredUser> | null;
    return typeof value?.token === "string" ? (value as StoredUser) : null;
  } catch {
    return null;
  }
}

function write(user: StoredUser | null): void {
  try {
    if (user) localStorage.setItem(KEY, JSON.stringify(user));
    else localStorage.removeItem(KEY);
  } catch {
    // Storage is full or forbidden: other tabs learn it later, from the server.
  }
}

/** Returns the session's handle as last stored in this browser. */
export const storedToken = (): string | null => read()?.token ?? null;

/** Whether this account is stored, with its lists. */
export const isRemembered = (userId: string): boolean => read()?.id === userId;

/** Stores the viewer, or deletes it for null. Keeps the stored lists of the same account. */
export function rememberUser(viewer: Viewer | null): void {
  const before = read();
  // The next account may not be allowed to read it.
  if (before && before.id !== viewer?.id) localStorage.removeItem(SELECTED_BLOG);
  if (!viewer) {
    if (before) write(null);
    return;
  }
  recordSignIn(viewer.id);
  const { session: token, name, username, email, id, picture: profilePic, interests } = viewer;
  const { followers = [], following = [] } = before?.id === id ? before : {};
  write({ token, name, username, email, id, profilePic, followers, following, interests });
}

/** Updates the stored viewer, unless the stored session has changed meanwhile. */
export function updateStoredUser(viewer: Viewer): void {
  if (storedToken() === viewer.session) rememberUser(viewer);
}

/** Stores followers and followed people, unless another account is stored meanwhile. */
export function rememberTies(
  userId: string,
  { followers, following }: Pick<StoredUser, "followers" | "following">,
): void {
  const user = read();
  if (user?.id === userId) write({ ...user, followers, following });
}

/** Updates the followed people (docs/specification.md, 4.6). */
export function rememberFollow(userId: string, follows: boolean): void {
  const user = read();
  if (!user) return;
  const otherIds = (user.following ?? []).filter((id) => id !== userId);
  write({ ...user, following: follows ? [...otherIds, userId] : otherIds });
}

/** Calls `onChange` with the token, or null, when another tab changes the session. */
export function watchStoredUser(onChange: (token: string | null) => void): void {
  addEventListener("storage", (event) => {
    if (event.key === KEY || event.key === null) onChange(storedToken());
  });
}
