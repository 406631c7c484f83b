import { Menu as BaseMenu } from '@base-ui/react/menu';
import { type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react';
import { type MenuChoiceProps, type MenuItemProps, type MenuLinkProps, MenuParts } from './menu-parts.ts';
import styles from './menu.module.css';

export interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement;
  children: ReactNode;
  side?: 'top' | 'bottom';
  align?: 'start' | 'end';
}

const MenuItem = ({ icon, children, isDangerous = false, onClick }: MenuItemProps) => (
  <BaseMenu.Item className={styles.item} data-dangerous={isDangerous || undefined} onClick={onClick}>
    {icon}
    {children}
  </BaseMenu.Item>
);

const MenuLink = ({ icon, children, href }: MenuLinkProps) => (
  <BaseMenu.LinkItem className={styles.item} href={href}>
    {icon}
    {children}
  </BaseMenu.LinkItem>
);

const MenuSeparator = () => <BaseMenu.Separator className={styles.separator} />;

/** Items under a note, which is also their group label for screen readers. */
const MenuNote = ({ note, children }: { note: string; children: ReactNode }) => (
  <BaseMenu.Group>
    {children}
    <BaseMenu.GroupLabel className={styles.label}>{note}</BaseMenu.GroupLabel>
  </BaseMenu.Group>
);

/** A group of options of which one is selected. */
function MenuChoice<Value extends string>({ label, value, options, onChange }: MenuChoiceProps<Value>) {
  return (
    <BaseMenu.Group>
      <BaseMenu.GroupLabel className={styles.label}>{label}</BaseMenu.GroupLabel>
      <BaseMenu.RadioGroup value={value} onValueChange={onChange}>
        {options.map((option) => (
          <BaseMenu.RadioItem key={option.value} value={option.value} className={styles.item} closeOnClick={false}>
            <span className={styles.check}>
              <BaseMenu.RadioItemIndicator>✓</BaseMenu.RadioItemIndicator>
            </span>
            {option.label}
          </BaseMenu.RadioItem>
        ))}
      </BaseMenu.RadioGroup>
    </BaseMenu.Group>
  );
}

const parts = { MenuItem, MenuLink, MenuSeparator, MenuNote, MenuChoice };

const hasVisibleFocus = (): boolean => document.activeElement?.matches(':focus-visible') ?? false;

/** Rendered when the menu opens for the first time, so it begins open. */
function MenuLayer({ trigger, children, side = 'bottom', align = 'end' }: MenuProps) {
  const popup = useRef<HTMLDivElement>(null);
  const [isByKeyboard] = useState(hasVisibleFocus);
  // Base UI does so itself at each later opening.
  useEffect(() => {
    if (!isByKeyboard) return;
    const frame = requestAnimationFrame(() => popup.current?.querySelector<HTMLElement>('[role^=menuitem]')?.focus());
    return () => cancelAnimationFrame(frame);
  }, [isByKeyboard]);
  return (
    <BaseMenu.Root defaultOpen>
      <BaseMenu.Trigger render={trigger} />
      <BaseMenu.Portal>
        <BaseMenu.Positioner className={styles.positioner} side={side} align={align} sideOffset={6}>
          <BaseMenu.Popup ref={popup} className={styles.popup}>
            <MenuParts value={parts}>{children}</MenuParts>
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

export default MenuLayer;
