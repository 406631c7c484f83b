import { cloneElement, type KeyboardEvent, type ReactElement, Suspense, useState } from 'react';
import { later } from './later.ts';
import type { MenuChoiceProps, MenuProps } from './menu-layer.tsx';

const load = () => import('./menu-layer.tsx');
const MenuLayer = later(async () => ({ default: (await load()).MenuLayer }));

/** An item of a `Menu`. */
export const MenuItem = later(async () => ({ default: (await load()).MenuItem }));
export const MenuLink = later(async () => ({ default: (await load()).MenuLink }));
export const MenuSeparator = later(async () => ({ default: (await load()).MenuSeparator }));
export const MenuNote = later(async () => ({ default: (await load()).MenuNote }));
export const MenuChoice = later<MenuChoiceProps<string>>(async () => ({
  default: (await load()).MenuChoice,
})) as unknown as <Value extends string>(props: MenuChoiceProps<Value>) => ReactElement;

interface TriggerProps {
  'aria-haspopup'?: 'menu';
  'aria-expanded'?: boolean;
  onClick?: () => void;
  onKeyDown?: (event: KeyboardEvent) => void;
}

/** A button and its menu, which is rendered when it opens for the first time. */
export function Menu(props: MenuProps) {
  const [wasOpen, setWasOpen] = useState(false);
  const open = (): void => setWasOpen(true);
  const trigger = cloneElement(props.trigger as ReactElement<TriggerProps>, {
    'aria-haspopup': 'menu',
    'aria-expanded': wasOpen,
    onClick: open,
    onKeyDown: (event) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      open();
    },
  });
  return wasOpen ? (
    <Suspense fallback={trigger}>
      <MenuLayer {...props} />
    </Suspense>
  ) : (
    trigger
  );
}
