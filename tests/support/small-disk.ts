import { execFileSync } from "node:child_process";

/** Mounts a disk of `megabytes`, or returns undefined where that takes rights that this process lacks. */
export function mountSmallDisk(megabytes: number) {
  const folder = execFileSync("mktemp", ["-d"]).toString().trim();
  const size = (megabyteCount: number) => `size=${megabyteCount}m`;
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", size(megabytes), "tmpfs", folder], { stdio: "ignore" });
  } catch {
    return undefined;
  }
  return {
    folder,
    grow: (megabyteCount: number) => execFileSync("mount", ["-o", `remount,${size(megabyteCount)}`, folder]),
    [Symbol.dispose]: () => void execFileSync("umount", ["--lazy", folder]),
  };
}
