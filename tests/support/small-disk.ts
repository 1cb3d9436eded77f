import { execFileSync } from "node:child_process";
import { rmdirSync } from "node:fs";

/** Mounts a disk of `megabytes`, or returns undefined where that takes rights that this process lacks. */
export function mountSmallDisk(megabytes: number) {
  const folder = execFileSync("mktemp", ["-d"]).toString().trim();
  const size = (megabyteCount: number) => `size=${Math.round(megabyteCount * 1024)}k`;
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", size(megabytes), "tmpfs", folder], { stdio: "ignore" });
  } catch {
    rmdirSync(folder);
    return undefined;
  }
  return {
    folder,
    grow: (megabyteCount: number) => execFileSync("mount", ["-o", `remount,${size(megabyteCount)}`, folder]),
    [Symbol.dispose]: () => {
      execFileSync("umount", ["--lazy", folder]);
      rmdirSync(folder);
    },
  };
}
