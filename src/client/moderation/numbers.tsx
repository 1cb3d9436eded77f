import { trpc } from "../api/trpc.ts";
import { Loaded } from "./loaded.tsx";

const units = ["B", "kB", "MB", "GB", "TB"];
function size(bytes: number): string {
  const at = bytes === 0 ? 0 : Math.min(Math.floor(Math.log10(Math.abs(bytes)) / 3), units.length - 1);
  return `${(bytes / 1000 ** at).toLocaleString("en", { maximumSignificantDigits: 3 })} ${units[at]}`;
}
const count = (value: number): string => value.toLocaleString("en");

/** What came to be on each day, and how much room is left on the disk. */
export function Numbers() {
  const asked = trpc.moderation.numbers.useQuery();
  return (
    <Loaded asked={asked} what="numbers">
      {({ days, disk }) => (
        <>
          <p className={disk.isLow ? "staff-flag" : "staff-note"} role={disk.isLow ? "alert" : undefined}>
            {size(disk.free)} of {size(disk.total)} are left on the disk.
            {disk.isLow && " Please make room: once it is full nobody can write."}
          </p>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- by the keyboard it is moved sideways */}
          <div className="staff-table" role="region" aria-label="New on each day" tabIndex={0}>
            <table className="tabular">
              <thead>
                <tr>
                  <th scope="col">Day (UTC)</th>
                  <th scope="col">People</th>
                  <th scope="col">Blogs</th>
                  <th scope="col">Comments</th>
                  <th scope="col">Pictures</th>
                  <th scope="col">Mails</th>
                  <th scope="col">Not sent</th>
                </tr>
              </thead>
              <tbody>
                {days.map((day) => (
                  <tr key={day.date}>
                    <th scope="row">{day.date}</th>
                    <td>{count(day.people)}</td>
                    <td>{count(day.blogs)}</td>
                    <td>{count(day.comments)}</td>
                    <td>{size(day.bytes)}</td>
                    <td>{count(day.mails)}</td>
                    <td>{count(day.mailsFailed)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </Loaded>
  );
}
