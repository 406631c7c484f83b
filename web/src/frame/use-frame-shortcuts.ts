import { useNavigate } from '@tanstack/react-router';
import { type Shortcuts, useShortcuts } from '../preferences/shortcuts.ts';
import { common } from '../parts/common-texts.ts';
import { settings } from './sidebar/nav-items.ts';
import { useNavItems } from './sidebar/use-nav-items.ts';

interface Layers {
  openPalette: () => void;
  openKeys: () => void;
}

/** Shortcuts that work on every page. */
export function useFrameShortcuts({ openPalette, openKeys }: Layers): void {
  const navigate = useNavigate();
  const visits = [...useNavItems(), settings].map(({ to, key }) => [`g ${key}`, () => void navigate({ to })] as const);
  const shortcuts: Shortcuts = {
    ...Object.fromEntries(visits),
    'mod+k': openPalette,
    'mod+shift+o': () => void navigate({ to: '/chat', search: {} }),
    '?': openKeys,
    '/': () => document.querySelector<HTMLElement>(typedIn)?.focus(),
    j: () => step(1),
    k: () => step(-1),
  };
  useShortcuts(shortcuts);
}

/** Selector of the composer or of a list's filter. */
const typedIn = `main textarea[aria-label="${common.message}"], main input[type="search"]`;

/** Moves the focus to the next or previous row of a list or message of a thread. Rows are links, so Enter opens them. */
function step(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const start = by > 0 ? 0 : rows.length - 1;
  const row = rows[at < 0 ? start : Math.min(Math.max(at + by, 0), rows.length - 1)];
  // A table row is opened by the control in its first cell, if it has one.
  const target = (row?.matches('tr') && row.querySelector<HTMLElement>('a, button')) || row;
  target?.focus();
  row?.scrollIntoView({ block: 'nearest' });
}
