import type { SiteNumbers } from "../../shared/administration.ts";
import { formatBytes } from "../../shared/format-bytes.ts";
import { trpc } from "../api/trpc.ts";
import { DiskRoom } from "./disk.tsx";
import { QueryResult } from "../ui/query-result.tsx";

const count = (value: number): string => value.toLocaleString("en");
const rows: { kind: keyof SiteNumbers; name: string; format: (value: number) => string }[] = [
  { kind: "people", name: "People", format: count },
  { kind: "blogs", name: "Blogs", format: count },
  { kind: "comments", name: "Comments", format: count },
  { kind: "bytes", name: "Pictures", format: formatBytes },
  { kind: "mails", name: "Emails sent", format: count },
  { kind: "mails-failed", name: "Emails not sent", format: count },
];

/** What is new on the site, and the free space on the disk. */
export function Numbers() {
  const query = trpc.administration.numbers.useQuery();
  return (
    <>
      <DiskRoom />
      <QueryResult query={query} noun="numbers">
        {(numbers) => <Table numbers={numbers} />}
      </QueryResult>
    </>
  );
}

function Table({ numbers }: { numbers: SiteNumbers }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- by the keyboard it is moved sideways
    <div className="small mt-4 staff-table" role="region" aria-label="New on the site" tabIndex={0}>
      <table className="table tabular">
        <thead>
          <tr>
            <th scope="col">New</th>
            <th scope="col">7 days</th>
            <th scope="col">30 days</th>
            <th scope="col">Ever</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ kind, name, format }) => (
            <tr key={kind}>
              <th scope="row">{name}</th>
              <td>{format(numbers[kind].week)}</td>
              <td>{format(numbers[kind].month)}</td>
              <td>{format(numbers[kind].ever)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
