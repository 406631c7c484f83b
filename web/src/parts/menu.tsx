import type { ReactElement } from 'react';
import { later } from './later.ts';
import type { MenuChoiceProps, MenuProps } from './menu-layer.tsx';
import { OpenedBy } from './opened-by.tsx';

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

/** A button and its menu, which is rendered when it opens for the first time. */
export const Menu = (props: MenuProps) => (
  <OpenedBy trigger={props.trigger} popup="menu">
    <MenuLayer {...props} />
  </OpenedBy>
);
