import { formatBytes } from "../../shared/format-bytes.ts";
import { trpc } from "../api/trpc.ts";
import "./administration.css";

/** Warns above every page of `/admin` of a full disk. */
export function DiskWarning() {
  const { data: disk } = trpc.administration.disk.useQuery();
  return (
    <p className="alert medium staff-warning" role="alert" hidden={!disk?.isLow}>
      {disk?.isLow &&
        `The disk is almost full: ${formatBytes(disk.free)} of ${formatBytes(disk.total)} left. Free up space, since nobody can write once it’s full.`}
    </p>
  );
}

export function DiskRoom() {
  const { data: disk } = trpc.administration.disk.useQuery();
  return (
    <p className="note">
      {disk && `${formatBytes(disk.free)} of ${formatBytes(disk.total)} left on the disk.`}
    </p>
  );
}

/** Names the version that runs. */
export function RunningVersion() {
  const { data } = trpc.administration.disk.useQuery();
  return <p className="note">{data && `Reprise ${data.version}`}</p>;
}
