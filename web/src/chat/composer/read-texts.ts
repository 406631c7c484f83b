import { notify } from '../../parts/layers/toast-store.ts';
import { texts } from '../texts.ts';

/** Enough for the longest message in any script. */
const maximumBytes = 200_000;

/** Returns the texts of dropped files. Says which kinds and sizes can be read when some of the files cannot. */
export async function readTexts(files: readonly File[]): Promise<string[]> {
  const ofKind = files.filter(({ name }) => /\.(txt|md)$/i.test(name));
  if (ofKind.length < files.length) notify(texts.onlyTxtMdFiles);
  const small = ofKind.filter(({ size }) => size <= maximumBytes);
  if (small.length < ofKind.length) notify(texts.onlySmallFiles);
  const read = await Promise.allSettled(small.map((file) => file.text()));
  if (read.some(({ status }) => status === 'rejected')) notify(texts.fileNotRead);
  return read.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}
