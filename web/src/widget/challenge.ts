import { element } from './elements.ts';
import type { PageData } from './page-data.ts';
import type { Texts } from './english-texts.ts';

interface Turnstile {
  render(holder: HTMLElement, options: { sitekey: string; callback: (token: string) => void }): void;
}

const source = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit';

/** Shows the challenge in `holder` and resolves with its token. */
export function solveChallenge(
  { challenge, siteKey }: PageData,
  texts: Texts,
  holder: (node: Node) => void,
): Promise<string> {
  return new Promise((resolve, reject) => {
    if (challenge === 'simulated') {
      const button = element('button', { type: 'button', class: 'choice' }, [texts.person]);
      button.addEventListener('click', () => resolve('ok'), { once: true });
      return holder(button);
    }
    const container = element('div');
    holder(container);
    const script = element('script', { src: source, async: '' });
    script.addEventListener('error', () => reject(new TypeError('network')));
    script.addEventListener('load', () => {
      const { turnstile } = globalThis as unknown as { turnstile: Turnstile };
      turnstile.render(container, { sitekey: siteKey ?? '', callback: resolve });
    });
    document.head.append(script);
  });
}
