import { FormField } from './form-field.tsx';

interface SelectFieldProps {
  name: string;
  label: string;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  hint?: string;
  /** Its options are loading. */
  isBusy?: boolean;
  onChange: (value: string) => void;
}

/** A native `select`, which works with every keyboard, screen reader and phone. */
export const SelectField = ({ name, label, value, options, hint, isBusy, onChange }: SelectFieldProps) => (
  <FormField
    name={name}
    label={label}
    value={value}
    hint={hint}
    onValueChange={onChange}
    render={
      <select aria-busy={isBusy}>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    }
  />
);
