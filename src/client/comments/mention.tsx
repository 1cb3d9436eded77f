import { useRef, useState } from "react";
import { Link } from "react-router-dom";
import { routes } from "../../shared/routes.ts";
import { onDemand } from "../ui/on-demand.tsx";

const PersonCard = onDemand(() => import("../profiles/person-card.tsx"));

/** A link to a person, with their card on mouse hover or keyboard focus. */
export function Mention({ username, children }: { username: string; children: string }) {
  const link = useRef<HTMLAnchorElement>(null);
  const [isPointedAt, setPointedAt] = useState(false);
  return (
    <>
      <Link
        ref={link}
        to={routes.profile(username)}
        onPointerEnter={({ pointerType }) => pointerType === "mouse" && setPointedAt(true)}
        onFocus={({ currentTarget }) => currentTarget.matches(":focus-visible") && setPointedAt(true)}
      >
        {children}
      </Link>
      {isPointedAt && <PersonCard username={username} link={link} onClose={() => setPointedAt(false)} />}
    </>
  );
}
