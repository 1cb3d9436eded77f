import type { FastifyInstance } from "fastify";
import { AppError } from "../../shared/errors.ts";
import { routes, safeNext } from "../../shared/routes.ts";
import { browserOf, contextOfRequest } from "../asking.ts";
import { begunCookie } from "../auth/challenges.ts";
import { readCookie, writeCookie } from "../auth/cookies.ts";
import type { GoogleIdentity } from "../auth/google.ts";
import type { Parts } from "../context.ts";
import { SignupPendingError } from "./signup-approval.ts";
import { keepIdentity, signInWithGoogle } from "./google-account.ts";
import { NeedsCode } from "./second-step.ts";

const minutes = 10;

/** `GET /google` sends the browser to Google, `GET /google/callback` receives it back. Without credentials there is neither. */
export async function googleRoutes(app: FastifyInstance, parts: Parts): Promise<void> {
  const { google: signIn } = parts;
  if (!signIn) return;
  const { https } = parts.config;
  const name = https ? "__Host-google" : "google";
  const attributes = {
    httpOnly: true,
    sameSite: "lax",
    secure: https,
    path: "/",
  } as const;

  app.get<{ Querystring: { next?: string | string[] } }>("/google", async (request, reply) => {
    await parts.limits.take("signInAddress", request.ip);
    const { url, state, verifier } = await signIn.begin();
    const { next } = request.query;
    const kept = JSON.stringify({ state, verifier, next: safeNext(typeof next === "string" ? next : null) });
    return reply
      .headers({
        "set-cookie": writeCookie(name, Buffer.from(kept).toString("base64url"), {
          ...attributes,
          maxAge: minutes * 60,
        }),
        "cache-control": "no-store",
      })
      .redirect(url.href);
  });

  app.get<{ Querystring: { code?: string | string[]; state?: string | string[] } }>(
    "/google/callback",
    async (request, reply) => {
      const kept = readKept(readCookie(request.headers.cookie, name));
      const { code, state } = request.query;
      void reply.headers({
        "set-cookie": writeCookie(name, "", { ...attributes, maxAge: 0 }),
        "cache-control": "no-store",
      });
      // Whoever said no at Google, or came without having set out from here, is back where they were.
      if (!kept || typeof code !== "string" || !code || state !== kept.state)
        return reply.redirect(`${routes.signIn()}?google=failed`);
      const cookies: string[] = [];
      const ctx = await contextOfRequest(parts, request, reply);
      let identity: GoogleIdentity | undefined;
      try {
        identity = await signIn.finish(code, kept.verifier);
        const { viewer } = await signInWithGoogle(
          // It comes from Google's page: that it set out from here, in this browser, the state has shown.
          {
            ...ctx,
            browser: browserOf(parts, request.headers.cookie),
            setCookie: (value) => void cookies.push(value),
          },
          identity,
        );
        for (const value of cookies) void reply.header("set-cookie", value);
        return await reply.redirect(viewer.interests.length === 0 ? "/select-interests" : kept.next);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (identity && error instanceof NeedsCode) {
          void reply.header("set-cookie", begunCookie(keepIdentity(ctx, identity), https));
          return reply.redirect(
            `${routes.signIn()}?${new URLSearchParams({ step: "google", next: kept.next })}`,
          );
        }
        const came = error instanceof SignupPendingError ? "waiting" : "failed";
        return reply.redirect(`${routes.signIn()}?google=${came}`);
      }
    },
  );
}

function readKept(value: string | undefined): { state: string; verifier: string; next: string } | undefined {
  try {
    const kept = JSON.parse(Buffer.from(value ?? "", "base64url").toString()) as {
      state: string;
      verifier: string;
      next: string;
    };
    return typeof kept.state === "string" &&
      typeof kept.verifier === "string" &&
      typeof kept.next === "string"
      ? { ...kept, next: safeNext(kept.next) }
      : undefined;
  } catch {
    return undefined;
  }
}
