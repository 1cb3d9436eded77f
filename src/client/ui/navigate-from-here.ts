import { useCallback, useEffect, useRef } from "react";
import { useNavigate } from "react-router-dom";
import type { NavigateOptions } from "react-router-dom";

/** `useNavigate` for use after a request: a no-op once the person has left the page. */
export function useNavigateFromHere(): (to: string, options?: NavigateOptions) => void {
  const navigate = useNavigate();
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return useCallback(
    (to, options) => {
      if (isMounted.current) void navigate(to, options);
    },
    [navigate],
  );
}
