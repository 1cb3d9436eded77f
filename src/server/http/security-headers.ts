import helmet from "@fastify/helmet";
import Fastify from "fastify";
import type { Config } from "../runtime/config.ts";
import { withoutSchemaCompilers } from "./schema-compilers.ts";

/** For what the pages of other sites may read, too. */
export const crossOrigin = {
  "cross-origin-resource-policy": "cross-origin",
  "access-control-allow-origin": "*",
};

/** Headers that are not helmet's. */
const notFromHelmet = new Set(["content-type", "content-length", "connection", "date"]);

/** Browser features that no page uses, off against injected code. */
const disabledFeatures = `accelerometer browsing-topics camera display-capture
  geolocation gyroscope hid idle-detection local-fonts magnetometer microphone midi payment
  screen-wake-lock serial usb window-management
  xr-spatial-tracking`.split(/\s+/);

/** Sites in frames, and the features they can use. */
const players = ["https://www.youtube-nocookie.com", "https://player.vimeo.com"];
const playerFeatures = ["autoplay", "encrypted-media", "fullscreen", "picture-in-picture"];

/** Features of pages, not of frames. */
const passkeys = ["publickey-credentials-create", "publickey-credentials-get"];

/** Only for documents: without them, each script, style sheet and font is a kilobyte smaller. */
export const documentHeaders = [
  "content-security-policy",
  "cross-origin-opener-policy",
  // The same file for everyone is no secret.
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

/** The policy of a page that any site may show in a frame: it has files of this site only, and no forms. */
export const framedPolicy = ({ https }: Pick<Config, "https">, dev: boolean): string =>
  [
    "default-src 'none'",
    `script-src 'self'${dev ? " 'unsafe-inline'" : ""}`,
    `style-src 'self'${dev ? " 'unsafe-inline'" : ""}`,
    // Text colours, as below.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self'",
    "media-src 'self'",
    "font-src 'self'",
    `connect-src 'self'${dev ? " ws:" : ""}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors *",
    ...(https ? ["upgrade-insecure-requests"] : []),
  ].join("; ");

/** Returns the security headers. They are constant, so helmet computes them once. */
export async function securityHeaders(
  config: Pick<Config, "https">,
  dev: boolean,
): Promise<Record<string, string>> {
  const server = Fastify({ schemaController: withoutSchemaCompilers });
  await server.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        "default-src": ["'self'"],
        "script-src": dev ? ["'self'", "'unsafe-inline'"] : ["'self'"],
        "style-src": dev ? ["'self'", "'unsafe-inline'"] : ["'self'"],
        // Text colours, checked by the document schema.
        "style-src-attr": ["'unsafe-inline'"],
        // Video players, loaded on a click (shared/document/embeds.ts).
        "frame-src": players,
        // `blob:` is for pictures being uploaded.
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
  server.get("/", async () => "");
  const { headers } = await server.inject("/");
  await server.close();
  return {
    ...Object.fromEntries(
      Object.entries(headers).filter(
        (entry): entry is [string, string] => typeof entry[1] === "string" && !notFromHelmet.has(entry[0]),
      ),
    ),
    "permissions-policy": [
      ...disabledFeatures.map((feature) => `${feature}=()`),
      ...playerFeatures.map((feature) => `${feature}=(${players.map((player) => `"${player}"`).join(" ")})`),
      ...passkeys.map((feature) => `${feature}=(self)`),
    ].join(", "),
  };
}
