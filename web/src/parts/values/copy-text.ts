import { common } from '../common-texts.ts';
import { texts } from '../texts.ts';
import { notify, notifyFailure } from '../layers/toast-store.ts';

/** Copies text to the clipboard and confirms it. */
export async function copyText(text: string, said: string = common.copied): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify(said);
  } catch (error) {
    notifyFailure(texts.browserNotAllowCopying, error);
  }
}
