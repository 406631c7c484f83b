import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { DeleteMeDocument, MeDocument } from '../api/generated/operations.ts';
import { query } from '../api/query.ts';
import { request } from '../api/request.ts';
import { leaveSession } from '../api/session.ts';
import { forgetTexts } from '../chat/drafts/drafts.ts';
import { Button } from '../parts/controls/button.tsx';
import { ConfirmDialog } from '../parts/layers/confirm-dialog.tsx';
import { fillIn } from '../parts/values/fill-in.tsx';
import { day } from '../parts/values/money.ts';
import { serviceNow } from '../api/service-time.ts';
import { forgetUnsavedPreferences } from '../preferences/preferences.ts';
import { texts } from './texts.ts';
import styles from './settings.module.css';

/** As in docs/accounts.md. */
const graceDays = 30;
const dayMs = 86_400_000;

/** Schedules the account's deletion, confirmed by typing the username, then shows the date on a public page. */
export function DeleteAccount() {
  const navigate = useNavigate();
  const { data } = useQuery(query(MeDocument, {}));
  const [isOpen, setOpen] = useState(false);
  const [until, setUntil] = useState('');
  const [typed, setTyped] = useState('');
  const open = (): void => {
    setTyped('');
    setUntil(day(new Date(serviceNow() + graceDays * dayMs).toISOString()));
    setOpen(true);
  };
  const username = data?.me.username ?? '';
  return (
    <section className={styles.card} aria-labelledby="deletion">
      <h2 id="deletion">{texts.deleteAccount}</h2>
      <p className={styles.hint}>{fillIn(texts.agentsConversationsDocumentsIntegrations, { days: graceDays })}</p>
      <div>
        <Button onClick={open}>{texts.deleteAccount}</Button>
      </div>
      <ConfirmDialog
        isOpen={isOpen}
        title={texts.askDeleteAccount}
        description={texts.signedEverywhereOnceSigning(until)}
        action={texts.deleteAccount}
        isDisabled={username === '' || typed.trim() !== username}
        onClose={() => setOpen(false)}
        onConfirm={async () => {
          const { deleteMe } = await request(DeleteMeDocument, {});
          // First: other tabs store no text without an account. It also redirects to the front page.
          leaveSession();
          forgetTexts();
          forgetUnsavedPreferences();
          await navigate({ to: '/account-deleted', search: { until: deleteMe.gracePeriodEnds }, replace: true });
        }}
      >
        <label className={styles.form}>
          <span className={styles.hint}>{fillIn(texts.typeConfirm, { username: <bdi>{username}</bdi> })}</span>
          <input dir="ltr" className={styles.input} value={typed} onChange={({ target }) => setTyped(target.value)} />
        </label>
      </ConfirmDialog>
    </section>
  );
}
