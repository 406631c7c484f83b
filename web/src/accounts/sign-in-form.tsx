import { Link } from '@tanstack/react-router';
import { startSession } from '../api/session.ts';
import { Button } from '../parts/controls/button.tsx';
import { Form } from '../parts/controls/form.tsx';
import { FormField } from '../parts/controls/form-field.tsx';
import { PasswordField } from '../parts/controls/password-field.tsx';
import { SubmitFailure } from './submit-failure.tsx';
import { useSubmit } from '../parts/controls/use-submit.ts';
import { texts } from './texts.ts';
import { keepTyped, type Typed } from './typed.ts';
import styles from './card-page.module.css';

interface SignInFormProps {
  /** Set when the account is known: the form then asks only for the password. */
  email?: string;
  /** What was typed before, to start with. */
  typed?: Typed;
  action?: 'login' | 'restore';
  label?: string;
  hasForgotLink?: boolean;
  onDone: () => void;
}

export function SignInForm({
  email,
  typed = {},
  action = 'login',
  label = texts.signIn,
  hasForgotLink = true,
  onDone,
}: SignInFormProps) {
  const { onSubmit, isBusy, failure, fieldErrors } = useSubmit(async (values) => {
    keepTyped(values);
    await startSession(action, { email: values['email'] ?? '', password: values['password'] ?? '' });
    keepTyped({});
    onDone();
  });
  return (
    <Form className={styles.form} errors={fieldErrors} onSubmit={onSubmit} noValidate>
      <FormField
        name="email"
        label={texts.eMail}
        type="email"
        dir="ltr"
        autoComplete="username"
        defaultValue={email ?? typed['email']}
        readOnly={email !== undefined}
        autoFocus={email === undefined}
        required
      />
      <PasswordField
        autoComplete="current-password"
        defaultValue={typed['password']}
        autoFocus={email !== undefined}
        aside={hasForgotLink && <Link to="/forgot-password">{texts.forgotPassword}</Link>}
      />
      <SubmitFailure failure={failure} />
      {failure?.code === 'ACCOUNT_SCHEDULED_FOR_DELETION' && action === 'login' && (
        <Link to="/restore-account">{texts.restoreThisAccount}</Link>
      )}
      <Button type="submit" variant="primary" isBusy={isBusy}>
        {label}
      </Button>
    </Form>
  );
}
