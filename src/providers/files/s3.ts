import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { Disk } from 'flydrive';
import type { Logger } from 'pino';
import { S3Driver } from 'flydrive/drivers/s3';
import { checkedKey, FileMissing, type FileStore } from '../../core/files.ports.ts';
import { StartError } from '../../core/process/start-error.ts';

const checkMs = 5_000;
/** Errors that remain until an operator acts. Others, such as a missing permission to list, may not affect uploads. */
const lastingErrors = new Set([
  'CredentialsProviderError',
  'NoSuchBucket',
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'ExpiredToken',
  // The bucket is in another region.
  'PermanentRedirect',
  'AuthorizationHeaderMalformed',
]);

/**
 * Returns a client for the bucket of `url` after a listing of one key, which needs a region, credentials and the bucket.
 * A bucket that does not respond is accepted: it may be back before the first upload.
 * @throws StartError when one of them is missing or wrong
 */
export async function requireBucket(url: string, log: Logger): Promise<S3Client> {
  const { hostname: bucket } = new URL(url);
  const client = new S3Client({});
  const failStart = (cause: unknown): never => {
    throw new StartError(
      `The bucket ${bucket} of FILES_URL cannot be used: ${(cause as Error).message}. Set AWS_REGION, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give this machine a role that may use it.`,
      { cause },
    );
  };
  await client.config.region().catch(failStart);
  const listing = new ListObjectsV2Command({ Bucket: bucket, MaxKeys: 1 });
  await client.send(listing, { abortSignal: AbortSignal.timeout(checkMs) }).catch((error: unknown) => {
    if (lastingErrors.has((error as Error).name)) failStart(error);
    log.warn({ err: error }, `the bucket ${bucket} could not be listed`);
  });
  return client;
}

/**
 * Opens a bucket, given as `s3://bucket/prefix`. Region, credentials and endpoint come from the usual AWS variables. An
 * upload becomes visible when it is complete; a lifecycle rule of the bucket should abort abandoned multipart uploads.
 */
export function openS3Store(url: string, client: S3Client): FileStore {
  const { hostname: bucket, pathname } = new URL(url);
  const folder = pathname.replace(/^\/+|\/+$/g, '');
  const disk = new Disk(new S3Driver({ client, bucket, visibility: 'private', supportsACL: false }));
  const full = (key: string): string => (folder ? `${folder}/${checkedKey(key)}` : checkedKey(key));

  // The prefix ends in a slash, because `a/b` alone would also match `a/bc`.
  async function* list(prefix: string): AsyncIterable<string> {
    for (let token: string | undefined, more = true; more; more = token !== undefined) {
      const page = await disk.driver.listAll(`${full(prefix)}/`, { recursive: true, paginationToken: token });
      for (const object of page.objects) if (object.isFile) yield object.key.slice(folder ? folder.length + 1 : 0);
      token = page.paginationToken;
    }
  }

  return {
    put: async (key, content) => {
      const upload = new Upload({ client, params: { Bucket: bucket, Key: full(key), Body: content } });
      await upload.done();
    },
    get: async (key) => {
      try {
        return await disk.getStream(full(key));
      } catch (error) {
        throw isMissing(error) ? new FileMissing(key, { cause: error }) : error;
      }
    },
    findSize: async (key) => {
      try {
        return (await disk.getMetaData(full(key))).contentLength;
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    delete: (key) => disk.delete(full(key)),
    deletePrefix: async (prefix) => {
      let count = 0;
      for await (const _key of list(prefix)) count++;
      await disk.driver.deleteAll(`${full(prefix)}/`);
      return count;
    },
    list,
  };
}

function isMissing(error: unknown): boolean {
  for (let e: unknown = error, depth = 0; e instanceof Error && depth < 4; e = e.cause, depth++) {
    if (e.name === 'NoSuchKey' || e.name === 'NotFound') return true;
  }
  return false;
}
