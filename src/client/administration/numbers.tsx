import type { SiteNumbers } from "../../shared/administration.ts";
import { formatBytes } from "../../shared/format-bytes.ts";
import { trpc } from "../api/trpc.ts";
import { DayChart } from "./day-chart.tsx";
import { DiskRoom } from "./disk.tsx";
import { QueryResult } from "../ui/query-result.tsx";

type Day = SiteNumbers["days"][number];
type What = Exclude<keyof Day, "date">;

const count = (value: number): string => value.toLocaleString("en");

interface Chart {
  title: string;
  parts: { of: What; name: string; kind: "usual" | "bad" }[];
  say: (value: number) => string;
}

const ofOne = (title: string, of: What, name: string, say = count): Chart => ({
  title,
  parts: [{ of, name, kind: "usual" }],
  say,
});
const charts: Chart[] = [
  ofOne("People", "people", "new"),
  ofOne("Blogs", "blogs", "new"),
  ofOne("Comments", "comments", "new"),
  ofOne("Pictures", "bytes", "more", formatBytes),
  {
    title: "Emails",
    parts: [
      { of: "mails", name: "sent", kind: "usual" },
      { of: "mailsFailed", name: "not sent", kind: "bad" },
    ],
    say: count,
  },
];

/** New things per day, and the free space on the disk. */
export function Numbers() {
  const asked = trpc.administration.numbers.useQuery();
  return (
    <>
      <DiskRoom />
      <QueryResult asked={asked} what="numbers">
        {({ days }) => (
          <>
            <Charts days={days.toReversed()} />
            <details className="staff-behind">
              <summary>Show as table</summary>
              <Table days={days} />
            </details>
          </>
        )}
      </QueryResult>
    </>
  );
}

function Charts({ days }: { days: Day[] }) {
  return (
    <div className="staff-charts">
      {charts.map(({ title, parts, say }) => (
        <DayChart
          key={title}
          title={title}
          dates={days.map(({ date }) => date)}
          series={parts.map(({ of, ...part }) => ({ ...part, values: days.map((day) => day[of]) }))}
          say={say}
        />
      ))}
    </div>
  );
}

function Table({ days }: { days: Day[] }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- by the keyboard it is moved sideways
    <div className="staff-table" role="region" aria-label="New on each day" tabIndex={0}>
      <table className="tabular">
        <thead>
          <tr>
            <th scope="col">Day (UTC)</th>
            <th scope="col">People</th>
            <th scope="col">Blogs</th>
            <th scope="col">Comments</th>
            <th scope="col">Pictures</th>
            <th scope="col">Emails</th>
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
              <td>{formatBytes(day.bytes)}</td>
              <td>{count(day.mails)}</td>
              <td>{count(day.mailsFailed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
