import type { FastifyInstance } from "fastify";
import { AppError } from "../../shared/errors.ts";
import { routes, safeNext } from "../../shared/routes.ts";
import { browserOf, contextOfRequest } from "../http/request-context.ts";
import { challengeCookie } from "../auth/challenges.ts";
import { readCookie, writeCookie } from "../auth/cookies.ts";
import type { GoogleIdentity } from "../auth/google.ts";
import type { Services } from "../context.ts";
import { SignupPendingError } from "./sign-up-approval.ts";
import { signInWithGoogle } from "./google-account.ts";
import { SecondStepRequired } from "./second-step.ts";

const minutes = 10;

/** `GET /google` redirects to Google, `GET /google/callback` receives it back. Neither exists without credentials. */
export async function googleRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const { google: signIn } = services;
  if (!signIn) return;
  const { https } = services.config;
  const name = https ? "__Host-google" : "google";
  const attributes = {
    httpOnly: true,
    sameSite: "lax",
    secure: https,
    path: "/",
  } as const;

  app.get<{ Querystring: { next?: string | string[] } }>("/google", async (request, reply) => {
    await services.limits.take("signInAddress", request.ip);
    const { url, state, verifier } = await signIn.begin();
    const { next } = request.query;
    const stateValue = JSON.stringify({
      state,
      verifier,
      next: safeNext(typeof next === "string" ? next : null),
    });
    return reply
      .headers({
        "set-cookie": writeCookie(name, Buffer.from(stateValue).toString("base64url"), {
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
      const stored = parseState(readCookie(request.headers.cookie, name));
      const { code, state } = request.query;
      void reply.headers({
        "set-cookie": writeCookie(name, "", { ...attributes, maxAge: 0 }),
        "cache-control": "no-store",
      });
      // Denied at Google, or not started by this browser.
      if (!stored || typeof code !== "string" || !code || state !== stored.state)
        return reply.redirect(`${routes.signIn()}?google=failed`);
      const cookies: string[] = [];
      const ctx = await contextOfRequest(services, request, reply);
      let identity: GoogleIdentity | undefined;
      try {
        identity = await signIn.finish(code, stored.verifier);
        const { viewer } = await signInWithGoogle(
          // The request comes from Google's page; `state` has proved that this browser started it.
          {
            ...ctx,
            browser: browserOf(services, request.headers.cookie),
            setCookie: (value) => void cookies.push(value),
          },
          identity,
        );
        for (const value of cookies) void reply.header("set-cookie", value);
        return await reply.redirect(viewer.interests.length === 0 ? "/select-interests" : stored.next);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (identity && error instanceof SecondStepRequired) {
          void reply.header(
            "set-cookie",
            challengeCookie(await ctx.challenges.begin("google", identity), https),
          );
          return reply.redirect(
            `${routes.signIn()}?${new URLSearchParams({ step: "google", next: stored.next })}`,
          );
        }
        const outcome = error instanceof SignupPendingError ? "waiting" : "failed";
        return reply.redirect(`${routes.signIn()}?google=${outcome}`);
      }
    },
  );
}

function parseState(
  value: string | undefined,
): { state: string; verifier: string; next: string } | undefined {
  try {
    const state = JSON.parse(Buffer.from(value ?? "", "base64url").toString()) as {
      state: string;
      verifier: string;
      next: string;
    };
    return typeof state.state === "string" &&
      typeof state.verifier === "string" &&
      typeof state.next === "string"
      ? { ...state, next: safeNext(state.next) }
      : undefined;
  } catch {
    return undefined;
  }
}
