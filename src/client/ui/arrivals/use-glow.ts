import { useEffect, useRef, useState } from "react";

const none: ReadonlySet<string> = new Set();

/** Returns the entries that are marked as new, and a function that marks some for so many milliseconds. */
export function useGlow(ms: number): [fresh: ReadonlySet<string>, glow: (ids: Iterable<string>) => void] {
  const [fresh, setFresh] = useState(none);
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>());
  useEffect(() => {
    const running = timers.current;
    return () => running.forEach(clearTimeout);
  }, []);
  const glow = (ids: Iterable<string>): void => {
    const shown = new Set(ids);
    setFresh((before) => new Set([...before, ...shown]));
    const timer = setTimeout(() => {
      timers.current.delete(timer);
      setFresh((before) => new Set([...before].filter((id) => !shown.has(id))));
    }, ms);
    timers.current.add(timer);
  };
  return [fresh, glow];
}
