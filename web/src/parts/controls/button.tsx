import type { ComponentProps } from 'react';
import { classNames } from '../class-names.ts';
import styles from './button.module.css';

export interface ButtonProps extends ComponentProps<'button'> {
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger';
  size?: 'normal' | 'small';
  /** True while the action runs: the button stays focusable and ignores presses. */
  isBusy?: boolean;
}

export function Button({
  variant = 'secondary',
  size = 'normal',
  isBusy = false,
  className,
  onClick,
  ...props
}: ButtonProps) {
  return (
    <button
      type="button"
      {...props}
      aria-disabled={isBusy || props['aria-disabled'] || undefined}
      className={classNames(styles.button, styles[variant], size === 'small' && styles.small, className)}
      onClick={(event) => {
        if (isBusy) event.preventDefault();
        else onClick?.(event);
      }}
    />
  );
}
