import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ResetPasswordDocument } from '../api/generated/operations.ts';
import { request } from '../api/request.ts';
import { Button } from '../parts/controls/button.tsx';
import { ButtonLink } from '../parts/controls/button-link.tsx';
import { Form } from '../parts/controls/form.tsx';
import { PasswordField } from '../parts/controls/password-field.tsx';
import { CardPage } from './card-page.tsx';
import { forgetFragmentToken, takeFragmentToken } from './fragment-token.ts';
import { SubmitFailure } from './submit-failure.tsx';
import { useSubmit } from '../parts/controls/use-submit.ts';
import { texts } from './texts.ts';
import styles from './card-page.module.css';

const page = '/reset-password';

export function ResetPasswordPage() {
  const [token] = useState(() => takeFragmentToken(page));
  const [isDone, setDone] = useState(false);
  const { onSubmit, isBusy, failure, fieldErrors } = useSubmit(async ({ newPassword = '' }) => {
    await request(ResetPasswordDocument, { input: { token: token ?? '', newPassword } });
    forgetFragmentToken(page);
    setDone(true);
  });
  if (isDone) {
    return (
      <CardPage title={texts.passwordSet} lead={texts.everySessionAccountEnded}>
        <ButtonLink to="/sign-in" variant="primary">
          {texts.signIn}
        </ButtonLink>
      </CardPage>
    );
  }
  const askAgain = <Link to="/forgot-password">{texts.sendAnotherLink}</Link>;
  if (!token) {
    return (
      <CardPage title={texts.setNewPassword} lead={texts.pageNeedsLinkMail} footer={askAgain}>
        <p>{texts.openLinkMailAgain}</p>
      </CardPage>
    );
  }
  return (
    <CardPage title={texts.setNewPassword} footer={failure?.code === 'INVALID_TOKEN' ? askAgain : undefined}>
      <Form className={styles.form} errors={fieldErrors} onSubmit={onSubmit} noValidate>
        <PasswordField name="newPassword" label={texts.newPassword} autoComplete="new-password" autoFocus />
        <SubmitFailure failure={failure} />
        <Button type="submit" variant="primary" isBusy={isBusy}>
          {texts.setPassword}
        </Button>
      </Form>
    </CardPage>
  );
}
