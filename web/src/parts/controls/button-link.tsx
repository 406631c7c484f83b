import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { classNames } from '../class-names.ts';
import styles from './button.module.css';

interface ButtonAnchorProps extends ComponentProps<'a'> {
  variant?: 'primary' | 'secondary' | 'quiet';
}

const ButtonAnchor = ({ variant = 'secondary', className, children, ...props }: ButtonAnchorProps) => (
  <a {...props} className={classNames(styles.button, styles[variant], className)}>
    {children}
  </a>
);

/** A link that looks like a button. Use it for navigation, and `Button` for actions. */
export const ButtonLink = createLink(ButtonAnchor);
