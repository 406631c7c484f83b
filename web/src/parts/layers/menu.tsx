import { createElement, type ReactElement, use } from 'react';
import { later } from './later.ts';
import type { MenuProps } from './menu-layer.tsx';
import { type MenuChoiceProps, MenuParts, type PartProps } from './menu-parts.ts';
import { OpenedBy } from './opened-by.tsx';

const MenuLayer = later(() => import('./menu-layer.tsx'));

/** A part that is there with its menu, so that a menu opens with its items, never empty. */
const partOf = <Name extends keyof PartProps>(name: Name) =>
  function Part(props: PartProps[Name]) {
    const parts = use(MenuParts);
    return parts && createElement(parts[name], props);
  };

/** An item of a `Menu`. */
export const MenuItem = partOf('MenuItem');
export const MenuLink = partOf('MenuLink');
export const MenuSeparator = partOf('MenuSeparator');
export const MenuNote = partOf('MenuNote');
export const MenuChoice = partOf('MenuChoice') as unknown as <Value extends string>(
  props: MenuChoiceProps<Value>,
) => ReactElement;

/** A button and its menu, which is rendered when it opens for the first time. */
export const Menu = (props: MenuProps) => (
  <OpenedBy trigger={props.trigger} popup="menu">
    <MenuLayer {...props} />
  </OpenedBy>
);
