import { QueryClientProvider } from "@tanstack/react-query";
import type { QueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { trpc } from "./trpc.ts";
import type { Client } from "./trpc.ts";

export interface ApiSources {
  client: Client;
  queryClient: QueryClient;
}

export const ApiProvider = ({ client, queryClient, children }: ApiSources & { children: ReactNode }) => (
  <trpc.Provider client={client} queryClient={queryClient}>
    <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
  </trpc.Provider>
);
