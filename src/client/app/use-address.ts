import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router-dom";

/** Goes to the address that the page has by now: its person has taken another username, or a part of it is shown no more. */
export function useAddress(address: string | undefined): void {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  useEffect(() => {
    if (address !== undefined && address !== pathname) void navigate(address + search, { replace: true });
  }, [address, pathname, search, navigate]);
}
