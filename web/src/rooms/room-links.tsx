import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  CreateRoomInvitationDocument,
  type InvitationInput,
  RevokeRoomInvitationDocument,
  RoomInvitationsDocument,
  type RoomQuery,
} from '../api/generated/operations.ts';
import { query } from '../api/query.ts';
import { requestRemoval } from '../api/request-removal.ts';
import { request } from '../api/request.ts';
import { Button } from '../parts/controls/button.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { Form } from '../parts/controls/form.tsx';
import { FormField } from '../parts/controls/form-field.tsx';
import { SecretDialog } from '../parts/layers/secret-dialog.tsx';
import { SelectField } from '../parts/controls/select-field.tsx';
import { serviceNow } from '../api/service-time.ts';
import { exactTime } from '../parts/values/time-ago.tsx';
import { notifyFailure } from '../parts/layers/toast-store.ts';
import { useSubmit } from '../parts/controls/use-submit.ts';
import { roleTexts, texts } from './texts.ts';
import styles from './rooms.module.css';

const dayMs = 86_400_000;
const lifetimes = [1, 7, 30].map((days) => [String(days), texts.days(days)] as const);
const roles = [
  ['MEMBER', texts.asMember],
  ['MODERATOR', texts.asModerator],
] as const;

/** Join links of a room. A link is shown only when it is created, and can be revoked. */
export function RoomLinks({ room }: { room: RoomQuery['room'] }) {
  const { id } = room;
  const cache = useQueryClient();
  const links = query(RoomInvitationsDocument, { roomId: id });
  const { data, error, refetch } = useQuery({ ...links, staleTime: 0 });
  const [days, setDays] = useState('7');
  const [role, setRole] = useState('MEMBER');
  const [uses, setUses] = useState('10');
  const [url, setUrl] = useState<string | null>(null);
  const readAgain = (): Promise<void> => cache.invalidateQueries({ queryKey: links.queryKey });
  const { onSubmit, isBusy, failure, fieldErrors } = useSubmit(async () => {
    const expiresAt = new Date(serviceNow() + Number(days) * dayMs - 60_000).toISOString();
    const input: InvitationInput = { expiresAt, maxUses: Number(uses) || 0, role: role as 'MEMBER' | 'MODERATOR' };
    const { createRoomInvitation } = await request(CreateRoomInvitationDocument, { roomId: id, input });
    setUrl(createRoomInvitation.url ?? '');
    await readAgain();
  });
  const revoke = (invitationId: string): void =>
    void requestRemoval(RevokeRoomInvitationDocument, { roomId: id, invitationId })
      .then(readAgain)
      .catch((refused: unknown) => notifyFailure(texts.notRevoked, refused));
  const open = data?.roomInvitations.data.filter(
    ({ revokedAt, expiresAt, uses: used, maxUses }) =>
      !revokedAt && used < maxUses && Date.parse(expiresAt) > serviceNow(),
  );
  return (
    <section className={styles.section} aria-labelledby="links">
      <h2 id="links">{texts.links}</h2>
      {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {open && open.length > 0 && (
        <ul className={styles.rows}>
          {open.map((link) => (
            <li key={link.id} className={styles.row}>
              <div className={styles.rowText}>
                <span>{texts.usedOf(link.uses, link.maxUses)}</span>
                <small>
                  {roleTexts[link.role]} · {texts.until(exactTime(link.expiresAt))}
                </small>
              </div>
              <Button size="small" onClick={() => revoke(link.id)}>
                {texts.revoke}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Form className={styles.form} errors={fieldErrors} noValidate onSubmit={onSubmit}>
        <div className={styles.pair}>
          <SelectField name="expiresAt" label={texts.valid} value={days} options={lifetimes} onChange={setDays} />
          <FormField name="maxUses" label={texts.forPeople} inputMode="numeric" value={uses} onValueChange={setUses} />
        </div>
        {room.myRole === 'OWNER' && (
          <SelectField name="role" label={texts.theyJoin} value={role} options={roles} onChange={setRole} />
        )}
        {failure && <ErrorNote error={failure} />}
        <Button type="submit" className={styles.start} isBusy={isBusy}>
          {texts.newLink}
        </Button>
      </Form>
      {url !== null && (
        <SecretDialog
          title={texts.sendLink}
          description={texts.linkShownOnce}
          label={texts.link}
          secret={url}
          onStored={() => setUrl(null)}
        />
      )}
    </section>
  );
}
