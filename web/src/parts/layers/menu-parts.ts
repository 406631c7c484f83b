import { type ComponentType, createContext, type ReactNode } from 'react';

export interface MenuItemProps {
  icon?: ReactNode;
  children: ReactNode;
  isDangerous?: boolean;
  onClick: () => void;
}

/** A menu item that is a link, to another page or a file. */
export interface MenuLinkProps {
  icon?: ReactNode;
  children: ReactNode;
  href: string;
}

export interface MenuChoiceProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
}

export interface PartProps {
  MenuItem: MenuItemProps;
  MenuLink: MenuLinkProps;
  MenuSeparator: object;
  MenuNote: { note: string; children: ReactNode };
  MenuChoice: MenuChoiceProps<string>;
}

/** What a menu consists of. Its layer, which is loaded when a menu opens, provides all of it at once. */
export const MenuParts = createContext<{ [Name in keyof PartProps]: ComponentType<PartProps[Name]> } | null>(null);
