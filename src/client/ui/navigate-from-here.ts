import { useCallback, useEffect, useRef } from "react";
import { useNavigate } from "react-router-dom";
import type { NavigateOptions } from "react-router-dom";

/** `useNavigate` for after an answer: a person who has gone to another page meanwhile is led nowhere. */
export function useNavigateFromHere(): (to: string, options?: NavigateOptions) => void {
  const navigate = useNavigate();
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return useCallback(
    (to, options) => {
      if (isHere.current) void navigate(to, options);
    },
    [navigate],
  );
}
