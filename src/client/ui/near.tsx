import { useEffect, useRef, useState } from "react";
import type { ReactNode } from "react";

/** Draws what is in it once its place comes near: a window's height before it is seen. */
export function Near({ children }: { children: ReactNode }) {
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
