import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { RevokeSessionDocument, SessionsDocument } from '../api/generated/operations.ts';
import { keyOf, query } from '../api/query.ts';
import { requestRemoval } from '../api/request-removal.ts';
import { Button } from '../parts/controls/button.tsx';
import { ConfirmDialog } from '../parts/layers/confirm-dialog.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { fillIn } from '../parts/values/fill-in.tsx';
import { RemovableButton } from '../parts/controls/removable-button.tsx';
import { Skeleton } from '../parts/lists/skeleton.tsx';
import { Status } from '../parts/figures/status.tsx';
import { TimeAgo } from '../parts/values/time-ago.tsx';
import { notifyFailure } from '../parts/layers/toast-store.ts';
import { deviceOf } from './device.ts';
import { texts } from './texts.ts';
import styles from './settings.module.css';

/** Where this person is signed in. */
export function Sessions() {
  const cache = useQueryClient();
  const { data, error, refetch } = useQuery(query(SessionsDocument, {}));
  const [isEndingAll, setEndingAll] = useState(false);
  const refresh = () => cache.invalidateQueries({ queryKey: keyOf(SessionsDocument) });
  const end = useMutation({
    mutationFn: (id: string) => requestRemoval(RevokeSessionDocument, { id }),
    onSettled: refresh,
    onError: (failure, id) => notifyFailure(texts.sessionNotEnded, failure, () => end.mutate(id)),
  });
  const sessions = data?.sessions.data ?? [];
  const others = sessions.filter(({ current }) => !current);
  return (
    <section className={styles.section} aria-labelledby="sessions">
      <div className={styles.head}>
        <h2 id="sessions">{texts.sessions}</h2>
        {others.length > 0 && (
          <Button size="small" onClick={() => setEndingAll(true)}>
            {texts.endAllOthers}
          </Button>
        )}
      </div>
      {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={['100%', '100%']} height={52} />}
      <ul className={styles.list}>
        {sessions.map(({ id, current, userAgent, ip, lastUsedAt }) => (
          <li key={id} data-row tabIndex={-1}>
            <div>
              <p className={styles.name} title={userAgent ?? undefined}>
                {deviceOf(userAgent)}
              </p>
              <p className={styles.hint}>
                {fillIn(texts.used, { ip: ip && <bdi dir="ltr">{ip}</bdi>, time: <TimeAgo date={lastUsedAt} /> })}
              </p>
            </div>
            {current ? (
              <Status tone="good">{texts.thisOne}</Status>
            ) : (
              <RemovableButton size="small" onClick={() => end.mutate(id)}>
                {texts.end}
              </RemovableButton>
            )}
          </li>
        ))}
      </ul>
      <ConfirmDialog
        isOpen={isEndingAll}
        title={texts.endAllOtherSessions}
        description={texts.everyOtherDeviceSign}
        action={texts.endThem}
        onClose={() => setEndingAll(false)}
        onConfirm={async () => {
          try {
            for (const { id } of others) await requestRemoval(RevokeSessionDocument, { id });
          } finally {
            await refresh();
          }
        }}
      />
    </section>
  );
}
