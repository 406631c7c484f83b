import { useState } from 'react';
import { OutboxLink } from '../parts/page/outbox-link.tsx';
import { useSubmit } from '../parts/controls/use-submit.ts';
import { ChangeEmailDocument } from '../api/generated/operations.ts';
import { request } from '../api/request.ts';
import { Button } from '../parts/controls/button.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { FormField } from '../parts/controls/form-field.tsx';
import { Form } from '../parts/controls/form.tsx';
import { PasswordField } from '../parts/controls/password-field.tsx';
import { Status } from '../parts/figures/status.tsx';
import { texts } from './texts.ts';
import { toPasswordField } from './to-password-field.ts';
import styles from './settings.module.css';

/** The address changes once the link in the mail to the new one is opened. */
export function EmailForm({ email, isVerified }: { email: string; isVerified: boolean }) {
  const [sent, setSent] = useState<string | null>(null);
  const { onSubmit, isBusy, failure, fieldErrors } = useSubmit(async (values) => {
    const { newEmail = '', currentPassword = '' } = values;
    const input = { newEmail, currentPassword };
    const { changeEmail } = await request(ChangeEmailDocument, { input }).catch(toPasswordField);
    setSent(changeEmail.message);
  });
  return (
    <section className={styles.card} aria-labelledby="email">
      <div className={styles.head}>
        <h2 id="email">{texts.eMail}</h2>
        <Status tone={isVerified ? 'good' : 'warn'}>{isVerified ? texts.confirmed : texts.notConfirmed}</Status>
      </div>
      <p className={styles.hint}>
        <bdi dir="ltr">{email}</bdi>
      </p>
      <Form className={styles.form} errors={fieldErrors} onSubmit={onSubmit} noValidate aria-label={texts.changeEMail}>
        <FormField name="newEmail" label={texts.newAddress} type="email" dir="ltr" autoComplete="email" />
        <PasswordField name="currentPassword" label={texts.yourPassword} autoComplete="current-password" />
        {failure && <ErrorNote error={failure} />}
        {sent && (
          <div role="status" className={styles.hint}>
            <p>{sent}</p>
            <OutboxLink />
          </div>
        )}
        <div>
          <Button type="submit" isBusy={isBusy}>
            {texts.changeAddress}
          </Button>
        </div>
      </Form>
    </section>
  );
}
