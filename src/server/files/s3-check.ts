import { randomUUID } from "node:crypto";
import { bucketAt, type Bucket } from "./s3-address.ts";
import { S3Client, S3Problem } from "./s3-client.ts";

/** Writes, lists and deletes a file in the bucket. Throws an Error of one line that says what to do if that fails. */
export async function checkBucket(url: string): Promise<void> {
  const bucket = bucketAt(url);
  if (!bucket) throw new Error("The setting S3_URL is wrong.");
  const client = new S3Client(bucket);
  const key = `check/${randomUUID()}`;
  try {
    await client.finish("PUT", key);
    const found: string[] = [];
    for await (const files of client.list(key)) found.push(...files.map((file) => file.key));
    await client.finish("DELETE", key);
    if (!found.includes(key)) throw new S3Problem("it lists no files");
  } catch (error) {
    if (!(error instanceof S3Problem)) throw error;
    throw new Error(`S3 at ${bucket.host} can’t be used (${error.message}). ${adviceFor(error, bucket)}`, {
      cause: error,
    });
  }
}

function adviceFor({ status, code }: S3Problem, { name, region }: Bucket): string {
  if (status === 0) return "Start it, or correct S3_URL.";
  if (code === "NoSuchBucket") return `Make the bucket ${name}, or correct S3_URL.`;
  if (/^(?:InvalidAccessKeyId|SignatureDoesNotMatch)$/.test(code))
    return "Correct the key and the secret in S3_URL; special characters of the secret are encoded, / as %2F.";
  if (status < 400 || code === "AuthorizationHeaderMalformed")
    return `Add the region of the bucket to S3_URL, as in ?region=${region}.`;
  if (status === 403)
    return `Allow its key to list the bucket ${name}, and to read, write and delete files there.`;
  return "Correct S3_URL.";
}
