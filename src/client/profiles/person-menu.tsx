import type { Person } from "../../shared/users.ts";
import { Menu } from "../ui/menu.tsx";
import type { MenuEntry } from "../ui/menu.tsx";
import { withCode } from "../ui/on-demand.tsx";
import { askToReport } from "../moderation/report.tsx";
import type { Reportable } from "../moderation/report.tsx";

interface Props {
  person: Pick<Person, "id" | "name">;
  /** The person's blog or comment that the menu is for, if any. */
  of?: Pick<Reportable, "kind" | "id">;
  className?: string;
  also?: MenuEntry[];
}

type BlockMute = typeof import("../blocks/block-mute.ts");

/** The menu beside a person's name. Its code is loaded on click. */
export default function PersonMenu({ person, of, className = "icon-button", also = [] }: Props) {
  const runWithCode = (action: (code: BlockMute) => Promise<void>) => (): void =>
    withCode(
      () => import("../blocks/block-mute.ts"),
      (code) => void action(code),
    );
  return (
    <Menu
      label={`More about ${person.name}`}
      className={`fixed ${className}`}
      entries={[
        ...also,
        {
          label: of?.kind === "blog" ? "Mute author" : "Mute",
          icon: "eye-off",
          run: runWithCode(({ setMuted }) => setMuted(person, true)),
        },
        {
          label: of ? `Report this ${of.kind}` : "Report",
          icon: "warning",
          run: () => askToReport({ ...(of ?? { kind: "profile", id: person.id }), name: person.name }),
        },
        {
          label: "Block",
          icon: "close",
          danger: true,
          run: runWithCode(({ askToBlock }) => askToBlock(person)),
        },
      ]}
    >
      <span className="dots" aria-hidden="true">
        •••
      </span>
    </Menu>
  );
}
