/** A bucket, or the part of it that `prefix` begins, and the key to it. */
export interface Bucket {
  /** The address of the bucket, by path, without a slash at the end. */
  address: string;
  host: string;
  name: string;
  /** Empty, or with a slash at the end. */
  prefix: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** Returns the bucket of `https://KEY:SECRET@host/bucket/prefix?region=…`; undefined for another address. */
export function bucketAt(address: string): Bucket | undefined {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol) || url.hash !== "") return undefined;
  const [, name, rest] =
    /^\/([a-z0-9][a-z0-9._-]+)((?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*)\/?$/.exec(url.pathname) ?? [];
  const { region = "us-east-1", ...others } = Object.fromEntries(url.searchParams);
  if (name === undefined || rest === undefined || Object.keys(others).length > 0) return undefined;
  if (url.username === "" || url.password === "" || !/^[a-z0-9-]+$/i.test(region)) return undefined;
  try {
    return {
      address: `${url.origin}/${name}`,
      host: url.host,
      name,
      prefix: rest === "" ? "" : `${rest.slice(1)}/`,
      region,
      accessKeyId: decodeURIComponent(url.username),
      secretAccessKey: decodeURIComponent(url.password),
    };
  } catch {
    return undefined;
  }
}
