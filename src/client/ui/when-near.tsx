import { useEffect, useRef, useState } from "react";
import type { ReactNode } from "react";

/** Renders its children once they are within a window's height below the window. */
export function WhenNear({ children }: { children: ReactNode }) {
  const container = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry!.isIntersecting && setNear(true), {
      rootMargin: "0px 0px 100%",
    });
    observer.observe(container.current!);
    return () => observer.disconnect();
  }, []);
  return <div ref={container}>{isNear && children}</div>;
}
