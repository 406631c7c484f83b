import { useShortcuts } from '../preferences/shortcuts.ts';

const keys = ['c', 'r', 'e', '[', ']', '+', '-'] as const;

/** Keys on the message that has the focus: they press its buttons, which name them. */
export function useMessageShortcuts(): void {
  useShortcuts(
    Object.fromEntries(
      keys.map((key) => [
        key,
        () =>
          document.activeElement
            ?.closest('[data-message]')
            ?.querySelector<HTMLButtonElement>(`[aria-keyshortcuts="${key}"]:not(:disabled)`)
            ?.click(),
      ]),
    ),
  );
}
