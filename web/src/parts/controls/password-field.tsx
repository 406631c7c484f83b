import { Eye, EyeOff } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { FormField } from './form-field.tsx';
import { Button } from './button.tsx';
import { texts } from '../texts.ts';
import buttonStyles from './button.module.css';

interface PasswordFieldProps {
  name?: string;
  label?: string;
  autoComplete: 'current-password' | 'new-password';
  aside?: ReactNode;
  defaultValue?: string | undefined;
  value?: string;
  onValueChange?: (value: string) => void;
  autoFocus?: boolean;
}

const minimum = 8;
const maximum = 128;

/** The rule for a new password, until it is met. */
function hintOf(length: number): string {
  if (length === 0) return texts.charactersAllowed(minimum, maximum);
  if (length < minimum) return texts.charactersAtLeast(length, minimum);
  return length > maximum ? texts.charactersAtMost(length, maximum) : texts.amount(length, texts.characters);
}

export function PasswordField({
  name = 'password',
  label = texts.password,
  autoComplete,
  aside,
  defaultValue,
  value,
  onValueChange,
  autoFocus,
}: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  const [typed, setTyped] = useState('');
  const toggleLabel = isShown ? texts.hidePassword : texts.showPassword;
  const isNew = autoComplete === 'new-password';
  return (
    <FormField
      name={name}
      label={label}
      aside={aside}
      type={isShown ? 'text' : 'password'}
      dir="ltr"
      autoComplete={autoComplete}
      defaultValue={defaultValue}
      value={value}
      autoFocus={autoFocus}
      required
      minLength={isNew ? minimum : undefined}
      onValueChange={onValueChange ?? setTyped}
      hint={isNew && hintOf([...(value ?? typed)].length)}
      trailing={
        // Not an IconButton: its tooltip would take a quarter of the size budget of the sign-in page.
        <Button
          variant="quiet"
          size="small"
          className={buttonStyles.icon}
          aria-label={toggleLabel}
          title={toggleLabel}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? <EyeOff size={16} /> : <Eye size={16} />}
        </Button>
      }
    />
  );
}
