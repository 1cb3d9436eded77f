import type { SiteNumbers } from "../../shared/administration.ts";
import { formatBytes } from "../../shared/format-bytes.ts";
import { trpc } from "../api/trpc.ts";
import { DayChart } from "./day-chart.tsx";
import { DiskRoom } from "./disk.tsx";
import { QueryResult } from "../ui/query-result.tsx";

type Day = SiteNumbers["days"][number];
type Metric = Exclude<keyof Day, "date">;

const count = (value: number): string => value.toLocaleString("en");

interface Chart {
  title: string;
  parts: { metric: Metric; name: string; kind: "usual" | "bad" }[];
  format: (value: number) => string;
}

const singleChart = (title: string, metric: Metric, name: string, format = count): Chart => ({
  title,
  parts: [{ metric, name, kind: "usual" }],
  format,
});
const charts: Chart[] = [
  singleChart("People", "people", "new"),
  singleChart("Blogs", "blogs", "new"),
  singleChart("Comments", "comments", "new"),
  singleChart("Pictures", "bytes", "more", formatBytes),
  {
    title: "Emails",
    parts: [
      { metric: "mails", name: "sent", kind: "usual" },
      { metric: "mailsFailed", name: "not sent", kind: "bad" },
    ],
    format: count,
  },
];

/** New things per day, and the free space on the disk. */
export function Numbers() {
  const query = trpc.administration.numbers.useQuery();
  return (
    <>
      <DiskRoom />
      <QueryResult query={query} noun="numbers">
        {({ days }) => (
          <>
            <Charts days={days.toReversed()} />
            <details>
              <summary className="soft strong">Show as table</summary>
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
      {charts.map(({ title, parts, format }) => (
        <DayChart
          key={title}
          title={title}
          dates={days.map(({ date }) => date)}
          series={parts.map(({ metric, ...part }) => ({ ...part, values: days.map((day) => day[metric]) }))}
          format={format}
        />
      ))}
    </div>
  );
}

function Table({ days }: { days: Day[] }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- by the keyboard it is moved sideways
    <div className="small mt-4 staff-table" role="region" aria-label="New on each day" tabIndex={0}>
      <table className="table tabular">
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
