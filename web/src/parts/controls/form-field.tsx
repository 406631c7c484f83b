import { type ChangeEvent, cloneElement, type ComponentProps, type ReactElement, type ReactNode, useId } from 'react';
import { useFieldError } from './form.tsx';
import styles from './form-field.module.css';

type Control = ComponentProps<'input'> & { 'data-trailing'?: '' | undefined };

interface FormFieldProps extends ComponentProps<'input'> {
  name: string;
  label: string;
  hint?: ReactNode;
  /** Shown at the end of the label's line. */
  aside?: ReactNode;
  /** Shown inside the field, at its end. */
  trailing?: ReactNode;
  /** The control, if it is not an `input`. */
  render?: ReactElement<Control>;
  onValueChange?: (value: string) => void;
}

/** Label, control, hint and the service's error, associated for assistive technology. */
export function FormField({
  name,
  label,
  hint,
  aside,
  trailing,
  render = <input />,
  onValueChange,
  ...control
}: FormFieldProps) {
  const id = useId();
  const { error, dismiss } = useFieldError(name);
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <div className={styles.field}>
      <div className={styles.head}>
        <label htmlFor={id} className={styles.label}>
          {label}
        </label>
        {aside}
      </div>
      <div className={styles.box}>
        {cloneElement(render, {
          dir: 'auto',
          ...control,
          id,
          name,
          className: `${styles.control} ${render.props.className ?? ''}`,
          'aria-invalid': error ? true : undefined,
          'aria-describedby': described || undefined,
          'data-trailing': trailing ? '' : undefined,
          onChange: (event: ChangeEvent<HTMLInputElement>) => {
            dismiss();
            control.onChange?.(event);
            onValueChange?.(event.target.value);
          },
        })}
        {trailing && <div className={styles.trailing}>{trailing}</div>}
      </div>
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      )}
    </div>
  );
}
