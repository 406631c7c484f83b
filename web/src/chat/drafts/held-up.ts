const key = 'held-up';

const stored = (): string[] => JSON.parse(sessionStorage.getItem(key) ?? '[]') as string[];

/** Stores the names of messages that wait in this tab when the page is left. */
export const keepHeldUp = (names: () => readonly string[]): void =>
  addEventListener('pagehide', () => sessionStorage.setItem(key, JSON.stringify([...stored(), ...names()])));

/** Returns, once, the names of messages that waited in this tab when the page was left. */
export function takeHeldUp(): string[] {
  const names = stored();
  sessionStorage.removeItem(key);
  return names;
}
