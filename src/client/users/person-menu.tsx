import type { Person } from "../../shared/users.ts";
import { Menu } from "../ui/menu.tsx";
import type { MenuEntry } from "../ui/menu.tsx";
import { withCode } from "../ui/on-demand.tsx";
import { askToReport } from "./report.tsx";
import type { Reportable } from "./report.tsx";
import "./person-menu.css";

interface Props {
  person: Pick<Person, "id" | "name">;
  /** What of theirs it stands at; they themselves without it. */
  of?: Pick<Reportable, "kind" | "id">;
  className?: string;
  /** What else may be done there. */
  also?: MenuEntry[];
}

type Hiding = typeof import("./hiding.ts");

/** What one may do about somebody else, wherever they stand. What it takes comes after the click. */
export default function PersonMenu({ person, of, className = "icon-button", also = [] }: Props) {
  const act = (what: (hiding: Hiding) => Promise<void>) => (): void =>
    withCode(
      () => import("./hiding.ts"),
      (hiding) => void what(hiding),
    );
  return (
    <Menu
      label={`More about ${person.name}`}
      className={`person-menu ${className}`}
      entries={[
        ...also,
        {
          label: of?.kind === "blog" ? "Mute its author" : "Mute",
          icon: "eye-off",
          run: act(({ hide }) => hide("muted", person, true)),
        },
        {
          label: of ? `Report this ${of.kind}` : "Report",
          icon: "warning",
          run: () => askToReport({ ...(of ?? { kind: "profile", id: person.id }), name: person.name }),
        },
        { label: "Block", icon: "close", danger: true, run: act(({ askToBlock }) => askToBlock(person)) },
      ]}
    >
      <span aria-hidden="true">•••</span>
    </Menu>
  );
}
