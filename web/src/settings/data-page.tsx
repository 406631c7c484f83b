import { keep } from '../api/keep.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { common } from '../parts/common-texts.ts';
import { OutboxLink } from '../parts/page/outbox-link.tsx';
import { asApiError } from '../api/api-error.ts';
import {
  DataExportDocument,
  type DataExportQuery,
  MeDocument,
  RequestDataExportDocument,
} from '../api/generated/operations.ts';
import { query } from '../api/query.ts';
import { request } from '../api/request.ts';
import { fillIn } from '../parts/values/fill-in.tsx';
import { fileSize } from '../parts/values/file-size.ts';
import { ApiNote } from '../parts/page/api-note.tsx';
import { Button } from '../parts/controls/button.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { Page } from '../parts/page/page.tsx';
import { Status, type StatusTone } from '../parts/figures/status.tsx';
import { exactTime } from '../parts/values/time-ago.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { SettingsTabs } from '../parts/page/settings-tabs.tsx';
import { usePageActions } from '../parts/page/page-actions.ts';
import { texts } from './texts.ts';
import styles from './settings.module.css';

/** Export of the account's data, and deletion of the account. */
export const DataPage = () => (
  <Page title={texts.data} tabs={<SettingsTabs />}>
    <DataExport />
    <DeleteAccount />
    <ApiNote tag="auth-and-account" path="/v1/auth/export-data" method="POST" />
  </Page>
);

const lastKey = 'data-export';
const pollMs = 1_000;

const states: Readonly<Record<DataExportQuery['dataExport']['status'], readonly [string, StatusTone]>> = {
  PROCESSING: [texts.beingMade, 'info'],
  READY: [texts.ready, 'good'],
  FAILED: [common.failed, 'bad'],
  EXPIRED: [texts.expired, 'muted'],
};

function DataExport() {
  // Only this tab remembers the id of the last export.
  const [id, setId] = useState(() => sessionStorage.getItem(lastKey));
  const { data: account } = useQuery(query(MeDocument, {}));
  const { data, error, refetch } = useQuery({
    ...query(DataExportDocument, { id: id ?? '' }),
    enabled: id !== null,
    refetchInterval: ({ state }) => (state.data?.dataExport.status === 'PROCESSING' ? pollMs : false),
  });
  const order = useMutation({
    mutationFn: () => request(RequestDataExportDocument, {}),
    onSuccess: ({ requestDataExport: { exportId } }) => {
      keep(sessionStorage, lastKey, exportId);
      setId(exportId);
    },
  });
  const isGone = error !== null && asApiError(error).code === 'NOT_FOUND';
  usePageActions([{ label: texts.requestExport, run: () => order.mutate() }]);
  const found = isGone ? undefined : data?.dataExport;
  const email = account?.me.email ?? '';
  return (
    <section className={styles.card} aria-labelledby="export">
      <h2 id="export">{texts.dataExport}</h2>
      <p className={styles.hint}>{fillIn(texts.everythingStoredAboutArchive, { email: <bdi>{email}</bdi> })}</p>
      {found && (
        <div role="status" className={styles.export}>
          <Status tone={states[found.status][1]}>{states[found.status][0]}</Status>
          <span className={styles.hint}>
            {found.status === 'PROCESSING' && texts.requested(exactTime(found.requestedAt))}
            {found.status === 'READY' &&
              texts.exportLink(
                email,
                found.sizeBytes ? fileSize(found.sizeBytes) : null,
                found.expiresAt ? exactTime(found.expiresAt) : null,
              )}
            {found.status === 'FAILED' && texts.requestAgain}
          </span>
          {found.status === 'READY' && <OutboxLink />}
        </div>
      )}
      {error && !isGone && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {order.error && <ErrorNote error={order.error} />}
      <div>
        <Button isBusy={order.isPending || found?.status === 'PROCESSING'} onClick={() => order.mutate()}>
          {texts.requestExport}
        </Button>
      </div>
    </section>
  );
}
