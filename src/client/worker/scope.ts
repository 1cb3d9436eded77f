import type { WorkerBuild } from "../../shared/service-worker.ts";

/* The part of the service worker's global scope that is used here: TypeScript's library for it excludes that of pages. */

export interface Lasting extends Event {
  waitUntil(work: Promise<unknown>): void;
}

export interface Fetching extends Lasting {
  readonly request: Request;
  readonly preloadResponse: Promise<Response | undefined>;
  respondWith(answer: Response | Promise<Response>): void;
}

export interface Pushed extends Lasting {
  readonly data: { json(): unknown } | null;
}

export interface Clicked extends Lasting {
  readonly notification: Notification;
}

interface Window {
  readonly url: string;
  focus(): Promise<unknown>;
  postMessage(message: unknown): void;
}

interface Scope {
  readonly BUILD: WorkerBuild;
  readonly location: Location;
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: { type: "window"; includeUncontrolled: boolean }): Promise<Window[]>;
    openWindow(url: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(
    type: "install" | "activate" | "pushsubscriptionchange",
    listener: (event: Lasting) => void,
  ): void;
  addEventListener(type: "fetch", listener: (event: Fetching) => void): void;
  addEventListener(type: "push", listener: (event: Pushed) => void): void;
  addEventListener(type: "notificationclick", listener: (event: Clicked) => void): void;
  addEventListener(type: "message", listener: (event: Lasting & { readonly data: unknown }) => void): void;
}

export const scope = self as unknown as Scope;
