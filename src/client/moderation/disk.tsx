import { sizeOf } from "../../shared/size.ts";
import { trpc } from "../api/trpc.ts";

/** Says above every page of `/admin` that the disk fills. */
export function DiskWarning() {
  const { data: disk } = trpc.moderation.disk.useQuery();
  return (
    <p className="staff-warning" role="alert" hidden={!disk?.isLow}>
      {disk?.isLow &&
        `The disk is almost full: ${sizeOf(disk.free)} of ${sizeOf(disk.total)} left. Free up space, since nobody can write once it’s full.`}
    </p>
  );
}

/** How much room there is. */
export function DiskRoom() {
  const { data: disk } = trpc.moderation.disk.useQuery();
  return (
    <p className="staff-note">{disk && `${sizeOf(disk.free)} of ${sizeOf(disk.total)} left on the disk.`}</p>
  );
}
