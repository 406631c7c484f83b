import { useState } from 'react';
import { useSubmit } from '../parts/controls/use-submit.ts';
import { cache } from '../api/cache.ts';
import { ChangePasswordDocument, SessionsDocument } from '../api/generated/operations.ts';
import { keyOf } from '../api/query.ts';
import { request } from '../api/request.ts';
import { ApiNote } from '../parts/page/api-note.tsx';
import { Button } from '../parts/controls/button.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { Form } from '../parts/controls/form.tsx';
import { Page } from '../parts/page/page.tsx';
import { PasswordField } from '../parts/controls/password-field.tsx';
import { notify } from '../parts/layers/toast-store.ts';
import { AuditLog } from './audit-log.tsx';
import { Sessions } from './sessions.tsx';
import { SettingsTabs } from '../parts/page/settings-tabs.tsx';
import { texts } from './texts.ts';
import { toPasswordField } from './to-password-field.ts';
import styles from './settings.module.css';

/** Password, sessions and audit log. */
export const SecurityPage = () => (
  <Page title={texts.security} tabs={<SettingsTabs />}>
    <PasswordForm />
    <Sessions />
    <AuditLog />
    <ApiNote tag="auth-and-account" path="/v1/auth/sessions" />
  </Page>
);

function PasswordForm() {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const { onSubmit, isBusy, failure, fieldErrors } = useSubmit(async () => {
    const input = { currentPassword: current, newPassword: next };
    await request(ChangePasswordDocument, { input }).catch(toPasswordField);
    setCurrent('');
    setNext('');
    notify(texts.passwordChangedOtherSessions);
    await cache.invalidateQueries({ queryKey: keyOf(SessionsDocument) });
  });
  return (
    <section className={styles.card} aria-labelledby="password">
      <h2 id="password">{texts.password}</h2>
      <p className={styles.hint}>{texts.changingEndsAllOther}</p>
      <Form
        className={styles.form}
        errors={fieldErrors}
        onSubmit={onSubmit}
        noValidate
        aria-label={texts.changeOfPassword}
      >
        <PasswordField
          name="currentPassword"
          label={texts.currentPassword}
          autoComplete="current-password"
          value={current}
          onValueChange={setCurrent}
        />
        <PasswordField
          name="newPassword"
          label={texts.newPassword}
          autoComplete="new-password"
          value={next}
          onValueChange={setNext}
        />
        {failure && <ErrorNote error={failure} />}
        <div>
          <Button type="submit" isBusy={isBusy}>
            {texts.changePassword}
          </Button>
        </div>
      </Form>
    </section>
  );
}
