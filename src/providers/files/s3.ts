import { S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { Disk } from 'flydrive';
import { S3Driver } from 'flydrive/drivers/s3';
import { checkedKey, FileMissing, type FileStore } from '../../core/files.ports.ts';

/**
 * Opens a bucket, given as `s3://bucket/prefix`. Region, credentials and endpoint come from the usual AWS variables. An
 * upload becomes visible when it is complete; a lifecycle rule of the bucket should abort abandoned multipart uploads.
 */
export function openS3Store(url: string, client = new S3Client({})): FileStore {
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
