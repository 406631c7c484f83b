import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ForgotPasswordDocument } from '../api/generated/operations.ts';
import { request } from '../api/request.ts';
import { Button } from '../parts/controls/button.tsx';
import { Form } from '../parts/controls/form.tsx';
import { FormField } from '../parts/controls/form-field.tsx';
import { CardPage } from './card-page.tsx';
import { OutboxLink } from '../parts/page/outbox-link.tsx';
import { SubmitFailure } from './submit-failure.tsx';
import { useSubmit } from '../parts/controls/use-submit.ts';
import { texts } from './texts.ts';
import styles from './card-page.module.css';

export function ForgotPasswordPage() {
  const [isSent, setSent] = useState(false);
  const { onSubmit, isBusy, failure, fieldErrors } = useSubmit(async ({ email = '' }) => {
    await request(ForgotPasswordDocument, { input: { email } });
    setSent(true);
  });
  return (
    <CardPage title={texts.resetPassword} footer={<Link to="/sign-in">{texts.backSign}</Link>}>
      {isSent ? (
        <>
          <p role="status">{texts.accountAddressMailWay}</p>
          <OutboxLink />
        </>
      ) : (
        <Form className={styles.form} errors={fieldErrors} onSubmit={onSubmit} noValidate>
          <FormField
            name="email"
            label={texts.eMail}
            type="email"
            dir="ltr"
            autoComplete="username"
            hint={texts.weSendLinkSets}
            autoFocus
            required
          />
          <SubmitFailure failure={failure} />
          <Button type="submit" variant="primary" isBusy={isBusy}>
            {texts.sendLink}
          </Button>
        </Form>
      )}
    </CardPage>
  );
}
