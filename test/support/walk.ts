import type { Locator, Page } from 'playwright-core';

/** Simulates a keyboard-only user. Records each key and its target as Markdown. */
export interface Walk {
  task(title: string): void;
  /** Presses Tab until the target has the focus. @throws Error when the focus never arrives or is not visible there */
  to(target: Locator): Promise<void>;
  press(...keys: string[]): Promise<void>;
  type(text: string): Promise<void>;
  /** `to` and `press`. */
  use(target: Locator, key?: string): Promise<void>;
  record(): string;
}

const maxSteps = 80;

/** Script: role and name of the focused element; null when the focus is not visible. */
const focused = `(() => {
  const element = document.activeElement;
  const box = element.getBoundingClientRect();
  const isShown = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  if (!element.matches(':focus-visible') || !isShown) return null;
  const kinds = { A: 'link', BUTTON: 'button', TEXTAREA: 'field', SELECT: 'choice', INPUT: 'field' };
  const role = element.getAttribute('role') ?? (['radio', 'checkbox'].includes(element.type) ? element.type : kinds[element.tagName]);
  const labelled = (element.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => document.getElementById(id)?.innerText ?? '').join(' ').trim();
  const name = element.getAttribute('aria-label') || labelled || element.labels?.[0]?.innerText || element.innerText;
  return role + ' “' + name.trim().replace(/\\s+/g, ' ') + '”';
})()`;

export function startWalk(page: Page): Walk {
  const lines: string[] = [];
  const walk: Walk = {
    task: (title) => void lines.push('', `## ${title}`, '', '| keys | on |', '| --- | --- |'),
    async to(target) {
      await target.waitFor();
      const isThere = async (): Promise<boolean> => (await target.and(page.locator(':focus')).count()) > 0;
      const note = async (key: string): Promise<void> => {
        const name = (await page.evaluate(focused)) as string | null;
        if (name === null) throw new Error(`the focus cannot be seen on ${target.toString()}`);
        lines.push(`| ${key} | ${name} |`);
      };
      if (await isThere()) return note('');
      for (let steps = 0; steps < maxSteps; steps++) {
        await page.keyboard.press('Tab');
        if (await isThere()) return note('Tab');
      }
      throw new Error(`the focus did not get to ${target.toString()}`);
    },
    async press(...keys) {
      for (const key of keys) await page.keyboard.press(key);
      lines.push(`| ${keys.join(' ').replaceAll('Control', 'Ctrl')} | |`);
    },
    async type(text) {
      await page.keyboard.type(text);
      lines.push(`| ${text} | |`);
    },
    async use(target, key = 'Enter') {
      await walk.to(target);
      await walk.press(key);
    },
    record: () => lines.join('\n').trim(),
  };
  return walk;
}
