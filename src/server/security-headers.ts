import helmet from "@fastify/helmet";
import Fastify from "fastify";
import type { Config } from "./config.ts";
import { schemaController } from "./schemas.ts";

/** Of an answer's headers, those that are not helmet's. */
const others = new Set(["content-type", "content-length", "connection", "date"]);

/** What a page of ours never uses, and nothing that slipped into one may. */
const switchedOff = `accelerometer browsing-topics camera display-capture
  geolocation gyroscope hid idle-detection local-fonts magnetometer microphone midi payment
  screen-wake-lock serial usb window-management
  xr-spatial-tracking`.split(/\s+/);

/** Whose frames a page may have, and what they may do in it. */
const players = ["https://www.youtube-nocookie.com", "https://player.vimeo.com"];
const ofPlayers = ["autoplay", "encrypted-media", "fullscreen", "picture-in-picture"];

/** What pages of ours use, and no frame in them. */
const passkeys = ["publickey-credentials-create", "publickey-credentials-get"];

/** Of them, those that concern documents alone: a kilobyte with each script, sheet and face that a page loads. */
export const ofDocuments = [
  "content-security-policy",
  "cross-origin-opener-policy",
  // What everybody is sent alike is no secret.
  "cross-origin-resource-policy",
  "origin-agent-cluster",
  "permissions-policy",
  "referrer-policy",
  "x-dns-prefetch-control",
  "x-download-options",
  "x-frame-options",
  "x-permitted-cross-domain-policies",
  "x-request-id",
  "x-xss-protection",
];

/** What every answer says to browsers for safety's sake. helmet would write it anew for each answer; it never changes, so it is asked once. */
export async function securityHeaders(
  config: Pick<Config, "https">,
  dev: boolean,
): Promise<Record<string, string>> {
  const asked = Fastify({ schemaController });
  await asked.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        "default-src": ["'self'"],
        "script-src": dev ? ["'self'", "'unsafe-inline'"] : ["'self'"],
        "style-src": dev ? ["'self'", "'unsafe-inline'"] : ["'self'"],
        // Colours of the text are style attributes; they passed through the document schema.
        "style-src-attr": ["'unsafe-inline'"],
        // What plays a video that somebody has pressed (shared/document/embeds.ts).
        "frame-src": players,
        // `blob:` is a picture on its way to the server.
        "img-src": ["'self'", "blob:"],
        "font-src": ["'self'"],
        "connect-src": dev ? ["'self'", "ws:"] : ["'self'"],
        "worker-src": ["'self'"],
        "manifest-src": ["'self'"],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
        ...(config.https ? { "upgrade-insecure-requests": [] } : {}),
      },
    },
    strictTransportSecurity: config.https ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: "strict-origin-when-cross-origin" },
  });
  asked.get("/", async () => "");
  const { headers } = await asked.inject("/");
  await asked.close();
  return {
    ...Object.fromEntries(
      Object.entries(headers).filter(
        (entry): entry is [string, string] => typeof entry[1] === "string" && !others.has(entry[0]),
      ),
    ),
    "permissions-policy": [
      ...switchedOff.map((feature) => `${feature}=()`),
      ...ofPlayers.map((feature) => `${feature}=(${players.map((player) => `"${player}"`).join(" ")})`),
      ...passkeys.map((feature) => `${feature}=(self)`),
    ].join(", "),
  };
}
