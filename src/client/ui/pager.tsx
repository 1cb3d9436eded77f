import { Icon } from "./icon.tsx";
import "./pager.css";

interface Props {
  /** The list's address without the page, and what else stays in it. */
  action: string;
  keep?: Record<string, string>;
  page: number;
  hasMore: boolean;
}

/** The arrows below a list. They are forms that ask for the page by its address, so they work without a script too. */
export function Pager({ action, keep = {}, page, hasMore }: Props) {
  if (page === 1 && !hasMore) return null;
  const arrow = (to: number, label: string, icon: "chevron-left" | "chevron-right", enabled: boolean) => (
    <form method="get" action={action}>
      {Object.entries(keep).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {to > 1 && <input type="hidden" name="page" value={to} />}
      <button type="submit" className="pager-arrow" aria-label={label} disabled={!enabled}>
        <Icon name={icon} />
      </button>
    </form>
  );
  return (
    <nav className="pager" aria-label="Pages">
      {arrow(page - 1, "Previous page", "chevron-left", page > 1)}
      <span className="tabular" aria-current="page">
        Page {page}
      </span>
      {arrow(page + 1, "Next page", "chevron-right", hasMore)}
    </nav>
  );
}
