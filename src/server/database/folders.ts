import { accessSync, constants, mkdirSync, statSync } from "node:fs";
import path from "node:path";

type FolderSetting = "DATA_DIR" | "BACKUP_DIR";

/** Makes the folder of a setting, closed to other accounts. Throws an Error of one line if it can't be used. */
export function makeFolder(setting: FolderSetting, folder: string): void {
  try {
    make(folder);
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unusableFolder(setting, folder, error) ?? error;
  }
}

/** As `recursive` of mkdir, which never returns for a folder that the system refuses, as in /proc. */
function make(folder: string): void {
  if (isFolder(folder)) return;
  make(path.dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it.
    if (!isFolder(folder)) throw error;
  }
}

const isFolder = (folder: string): boolean =>
  statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;

const noRight = "this account may not write there";
const inTheWay = "a file is in the way";
const reasons: Record<string, string> = {
  EACCES: noRight,
  EPERM: noRight,
  EROFS: "its disk is read-only",
  EEXIST: inTheWay,
  ENOTDIR: inTheWay,
  ENOENT: "no folder can be made there",
};

/** Returns the line for an error of the file system in the folder of a setting, or undefined for another error. */
export function unusableFolder(setting: FolderSetting, folder: string, error: unknown): Error | undefined {
  const { code = "", path: file = folder } = error as NodeJS.ErrnoException;
  const reason = reasons[code];
  if (reason === undefined) return undefined;
  return new Error(
    `${setting} is ${folder}, but ${reason}${file === folder ? "" : ` (${file})`}. Set ${setting} to a folder of your own, or change the rights and start again.`,
    { cause: error },
  );
}
