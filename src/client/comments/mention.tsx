import { useRef, useState } from "react";
import { routes } from "../../shared/routes.ts";
import { onDemand } from "../ui/on-demand.tsx";

const PersonCard = onDemand(() => import("../users/person-card.tsx"));

/** A link to somebody who is mentioned. Pointed at by a mouse, or reached with the keyboard, it has a card that says who that is. */
export function Mention({ username, children }: { username: string; children: string }) {
  const link = useRef<HTMLAnchorElement>(null);
  const [isPointedAt, setPointedAt] = useState(false);
  return (
    <>
      <a
        ref={link}
        href={routes.profile(username)}
        onPointerEnter={({ pointerType }) => pointerType === "mouse" && setPointedAt(true)}
        onFocus={({ currentTarget }) => currentTarget.matches(":focus-visible") && setPointedAt(true)}
      >
        {children}
      </a>
      {isPointedAt && <PersonCard username={username} link={link} onClose={() => setPointedAt(false)} />}
    </>
  );
}
