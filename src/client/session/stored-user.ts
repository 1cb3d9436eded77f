import type { Viewer } from "../../shared/users.ts";

import { noteBack } from "./left.ts";

/** The local storage key of docs/specification.md, 3.1. Its `token` is the session's public handle. */
const KEY = "user";
/** The other one, 3.4: the blog that is read (blogs/article/selected-blog.ts). */
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
    // Storage is full or forbidden: the tabs learn of each other later, by the server.
  }
}

/** The session of whoever has signed in last in this browser. */
export const storedToken = (): string | null => read()?.token ?? null;

/** Whether this is the account that is stored, with its lists. */
export const isRemembered = (userId: string): boolean => read()?.id === userId;

/** Stores who is signed in, or that nobody is. The lists of an earlier page of the same person are kept. */
export function rememberUser(viewer: Viewer | null): void {
  const before = read();
  // It may be one that the next may not read.
  if (before && before.id !== viewer?.id) localStorage.removeItem(SELECTED_BLOG);
  if (!viewer) {
    if (before) write(null);
    return;
  }
  noteBack(viewer.id);
  const { session: token, name, username, email, id, picture: profilePic, interests } = viewer;
  const { followers = [], following = [] } = before?.id === id ? before : {};
  write({ token, name, username, email, id, profilePic, followers, following, interests });
}

/** Keeps name, picture and interests as they are now; not where somebody else has signed in meanwhile. */
export function keepUser(viewer: Viewer): void {
  if (storedToken() === viewer.session) rememberUser(viewer);
}

/** Keeps who follows and is followed, as the server has it; not where somebody else has signed in meanwhile. */
export function rememberTies(
  userId: string,
  { followers, following }: Pick<StoredUser, "followers" | "following">,
): void {
  const user = read();
  if (user?.id === userId) write({ ...user, followers, following });
}

/** Keeps the list of followed people (docs/specification.md, 4.6). */
export function rememberFollow(userId: string, follows: boolean): void {
  const user = read();
  if (!user) return;
  const others = (user.following ?? []).filter((id) => id !== userId);
  write({ ...user, following: follows ? [...others, userId] : others });
}

/** Calls `changed` with the token, or null, when another tab signs somebody in or out. */
export function watchStoredUser(changed: (token: string | null) => void): void {
  addEventListener("storage", (event) => {
    if (event.key === KEY || event.key === null) changed(storedToken());
  });
}
