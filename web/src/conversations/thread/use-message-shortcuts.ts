import { useShortcuts } from '../../preferences/shortcuts.ts';

const keys = ['c', 'r', 'e', '[', ']', '+', '-'] as const;

/** Shortcuts on the focused message. A key presses the button that declares it. */
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
