import { Button, type ButtonProps } from './button.tsx';
import { classNames } from '../class-names.ts';
import buttonStyles from './button.module.css';

interface IconButtonProps extends Omit<ButtonProps, 'aria-label'> {
  /** Name and tooltip. */
  label: string;
}

/** A button that is only an icon. Its label is the accessible name and the tooltip, which `Tooltips` shows. */
export const IconButton = ({ label, variant = 'quiet', className, ...props }: IconButtonProps) => (
  <Button
    variant={variant}
    {...props}
    className={classNames(buttonStyles.icon, className)}
    aria-label={label}
    data-tooltip={label}
  />
);
