import { Link, useNavigate, useRouteContext } from '@tanstack/react-router';
import { startSession } from '../api/session.ts';
import { Button } from '../parts/controls/button.tsx';
import { fillIn } from '../parts/values/fill-in.tsx';
import { Form } from '../parts/controls/form.tsx';
import { FormField } from '../parts/controls/form-field.tsx';
import { PasswordField } from '../parts/controls/password-field.tsx';
import { CardPage } from './card-page.tsx';
import { SubmitFailure } from './submit-failure.tsx';
import { useSubmit } from '../parts/controls/use-submit.ts';
import { texts } from './texts.ts';
import styles from './card-page.module.css';

export function SignUpPage() {
  const { next } = useRouteContext({ from: '/sign-up' });
  const navigate = useNavigate();
  const { onSubmit, isBusy, failure, fieldErrors } = useSubmit(async ({ email = '', password = '', username }) => {
    await startSession('register', { email, password, ...(username ? { username } : {}) });
    await navigate({ href: next ?? '/chat', replace: true });
  });
  return (
    <CardPage
      title={texts.createAccount}
      footer={
        <>
          {fillIn(texts.alreadyAccount, {
            link: (
              <Link to="/sign-in" search={{ next }}>
                {texts.signIn}
              </Link>
            ),
          })}
        </>
      }
    >
      <Form className={styles.form} errors={fieldErrors} onSubmit={onSubmit} noValidate>
        <FormField name="email" label={texts.eMail} type="email" dir="ltr" autoComplete="username" autoFocus required />
        <PasswordField autoComplete="new-password" />
        <details className={styles.more} open={'username' in fieldErrors || undefined}>
          <summary>{texts.chooseUserNameOptional}</summary>
          <div>
            <FormField name="username" label={texts.userName} dir="ltr" autoComplete="off" hint={texts.madeEMailWhen} />
          </div>
        </details>
        <SubmitFailure failure={failure} />
        <Button type="submit" variant="primary" isBusy={isBusy}>
          {texts.signUp}
        </Button>
      </Form>
    </CardPage>
  );
}
