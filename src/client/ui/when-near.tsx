import { useEffect, useRef, useState } from "react";
import type { ReactNode } from "react";

/** Renders its children once they are within a window's height below the window. */
export function WhenNear({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const watcher = new IntersectionObserver(([entry]) => entry!.isIntersecting && setNear(true), {
      rootMargin: "0px 0px 100%",
    });
    watcher.observe(place.current!);
    return () => watcher.disconnect();
  }, []);
  return <div ref={place}>{isNear && children}</div>;
}
