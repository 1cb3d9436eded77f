import { scaleBand, scaleLinear } from "d3-scale";

/** One part of a day's stacked bar. */
export interface Series {
  name: string;
  kind: "usual" | "bad";
  values: number[];
}

interface Props {
  title: string;
  /** Oldest first, as `2026-11-22`. */
  dates: string[];
  series: Series[];
  format: (value: number) => string;
}

/** In units of the SVG, whatever its size. */
const box = { width: 400, height: 150, left: 52, right: 4, top: 8, bottom: 20 };
const bottom = box.height - box.bottom;

const short = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", timeZone: "UTC" });
const dayIn = (date: string): string => short.format(new Date(`${date}T00:00:00Z`));
const total = (values: number[]): number => values.reduce((sum, value) => sum + value, 0);

/** A bar for each day. Screen readers get totals and the peak; the table has the rest. */
export function DayChart({ title, dates, series, format }: Props) {
  const sums = dates.map((_, index) => total(series.map(({ values }) => values[index] ?? 0)));
  const max = Math.max(...sums);
  const x = scaleBand(dates, [box.left, box.width - box.right]).padding(0.2);
  const y = scaleLinear([Math.min(0, ...sums), Math.max(1, max)], [bottom, box.top]).nice(3);
  const ticks = y.ticks(3).filter(Number.isInteger);
  const totals = series.map(({ name, values }) => `${format(total(values))} ${name}`).join(", ");
  const peak = max > 0 ? ` Most on ${dayIn(dates[sums.indexOf(max)] ?? "")}: ${format(max)}.` : "";
  return (
    <figure className="stack gap-2 day-chart">
      <figcaption className="row wrap between baseline">
        <strong>{title}</strong>
        <span className="note">
          {series.map(({ name, kind, values }) => (
            <span key={name} className={series.length > 1 ? `day-chart-key day-chart-${kind}` : undefined}>
              {format(total(values))} {name}
            </span>
          ))}
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${box.width} ${box.height}`}
        role="img"
        aria-label={`${title} in ${dates.length} days: ${totals}.${peak}`}
      >
        {ticks.map((tick) => (
          <g key={tick}>
            <line x1={box.left} x2={box.width - box.right} y1={y(tick)} y2={y(tick)} />
            <text x={box.left - 6} y={y(tick)} dy="0.32em" textAnchor="end">
              {format(tick)}
            </text>
          </g>
        ))}
        {dates.map((date, index) => {
          let offset = 0;
          const counts = series.map(({ name, values }) => `${format(values[index] ?? 0)} ${name}`).join(", ");
          return (
            <g key={date} className="day-chart-day">
              <title>{`${dayIn(date)}: ${counts}`}</title>
              <rect
                className="day-chart-air"
                x={x(date)}
                y={box.top}
                width={x.step()}
                height={bottom - box.top}
              />
              {series.map(({ name, kind, values }) => {
                const [from, to] = [y(offset), y((offset += values[index] ?? 0))];
                return (
                  <rect
                    key={name}
                    className={`day-chart-${kind}`}
                    x={x(date)}
                    y={Math.min(from, to)}
                    width={x.bandwidth()}
                    height={Math.abs(to - from)}
                  />
                );
              })}
            </g>
          );
        })}
        <text x={box.left} y={box.height - 4}>
          {dayIn(dates[0] ?? "")}
        </text>
        <text x={box.width - box.right} y={box.height - 4} textAnchor="end">
          {dayIn(dates.at(-1) ?? "")}
        </text>
      </svg>
    </figure>
  );
}
