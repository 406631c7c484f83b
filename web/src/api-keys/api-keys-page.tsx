import { useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import { type ApiKeyFieldsFragment, ApiKeysDocument, RevokeApiKeyDocument } from '../api/generated/operations.ts';
import { keyOf, query } from '../api/query.ts';
import { requestRemoval } from '../api/request-removal.ts';
import { ApiNote } from '../parts/page/api-note.tsx';
import { Button } from '../parts/controls/button.tsx';
import { ConfirmDialog } from '../parts/layers/confirm-dialog.tsx';
import { EmptyState } from '../parts/lists/empty-state.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { fillIn } from '../parts/values/fill-in.tsx';
import { useMinute } from '../parts/values/minute.ts';
import { Page } from '../parts/page/page.tsx';
import { serviceNow } from '../api/service-time.ts';
import { Skeleton } from '../parts/lists/skeleton.tsx';
import { Chip, Status } from '../parts/figures/status.tsx';
import { exactTime, TimeAgo } from '../parts/values/time-ago.tsx';
import { usePageActions } from '../parts/page/page-actions.ts';
import { type CreatedKey, KeySecret } from './key-secret.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { RotateKeyDialog } from './rotate-key-dialog.tsx';
import { scopeName, scopes } from './scopes.ts';
import { texts } from './texts.ts';
import styles from './api-keys.module.css';

type Layer = { kind: 'new' } | { kind: 'rotate' | 'revoke'; key: ApiKeyFieldsFragment } | null;

/** The account's API keys with their scopes. */
export function ApiKeysPage() {
  const cache = useQueryClient();
  const list = useQuery(query(ApiKeysDocument, {}));
  const [layer, setLayer] = useState<Layer>(null);
  const [created, setCreated] = useState<CreatedKey | null>(null);
  const newButtonElement = useRef<HTMLButtonElement>(null);
  const keys = list.data?.apiKeys.data;
  const close = (): void => setLayer(null);
  usePageActions([{ label: texts.newKey, run: () => setLayer({ kind: 'new' }) }]);
  const refresh = () => cache.invalidateQueries({ queryKey: keyOf(ApiKeysDocument) });
  const show = (key: CreatedKey): void => {
    setCreated(key);
    void refresh();
  };
  const newButton = (
    <Button ref={newButtonElement} variant="primary" onClick={() => setLayer({ kind: 'new' })}>
      <Plus size={16} />
      {texts.newKey}
    </Button>
  );
  return (
    <Page
      title={texts.apiKeys}
      lead={texts.programsUseAccountWithout}
      action={(keys ? keys.length > 0 : list.isError) && newButton}
    >
      {list.error && <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
      {!keys && !list.error && <Skeleton lines={['100%', '100%']} height={64} />}
      {keys?.length === 0 && (
        <EmptyState icon={<KeyRound size={20} />} title={texts.noApiKeyYet} action={newButton}>
          {fillIn(texts.keyOnlyScopesAllow, { link: <a href="/docs/guide/api">{texts.readAboutApi}</a> })}
        </EmptyState>
      )}
      {keys && keys.length > 0 && (
        <ul className={styles.list}>
          {keys.map((key) => (
            <KeyRow
              key={key.id}
              apiKey={key}
              onRotate={() => setLayer({ kind: 'rotate', key })}
              onRevoke={() => setLayer({ kind: 'revoke', key })}
            />
          ))}
        </ul>
      )}
      <ApiNote tag="auth-and-account" path="/v1/auth/api-keys" />
      <NewKeyDialog isOpen={layer?.kind === 'new'} onClose={close} onCreated={show} />
      <RotateKeyDialog apiKey={layer?.kind === 'rotate' ? layer.key : null} onClose={close} onCreated={show} />
      <ConfirmDialog
        isOpen={layer?.kind === 'revoke'}
        title={texts.revokeKey}
        description={texts.stopsWorkingOnceEvery}
        action={texts.revoke}
        onClose={close}
        onConfirm={async () => {
          if (layer?.kind === 'revoke') await requestRemoval(RevokeApiKeyDocument, { id: layer.key.id });
          await refresh();
        }}
      />
      {created && (
        <KeySecret
          created={created}
          finalFocus={() => rowButtonOf(created.id) ?? newButtonElement.current}
          onStored={() => setCreated(null)}
        />
      )}
    </Page>
  );
}

const rowButtonOf = (id: string) => document.getElementById(id)?.querySelector('button');

const unusedMs = 90 * 86_400_000;

interface KeyRowProps {
  apiKey: ApiKeyFieldsFragment;
  onRotate: () => void;
  onRevoke: () => void;
}

function KeyRow({ apiKey, onRotate, onRevoke }: KeyRowProps) {
  const { id, name, keyHint, lastUsedAt, expiresAt, createdAt } = apiKey;
  useMinute();
  const now = serviceNow();
  const isExpired = expiresAt ? Date.parse(expiresAt) < now : false;
  const isUnused = now - Date.parse(lastUsedAt ?? createdAt) > unusedMs;
  const all = apiKey.scopes.length === scopes.length;
  return (
    <li id={id} data-row tabIndex={-1} className={styles.row}>
      <div className={styles.names}>
        <p className={styles.name}>
          <bdi>{name}</bdi> <code dir="ltr">{keyHint}</code>
        </p>
        <p className={styles.scopes}>
          {all ? (
            <Chip>{texts.everything}</Chip>
          ) : (
            apiKey.scopes.map((scope) => <Chip key={scope}>{scopeName(scope)}</Chip>)
          )}
        </p>
      </div>
      <div className={styles.meta}>
        {isExpired ? (
          <Status tone="bad">{texts.expired}</Status>
        ) : (
          <span>{expiresAt ? texts.expires(exactTime(expiresAt)) : texts.noExpiry}</span>
        )}
        <span>{texts.created(exactTime(createdAt))}</span>
        <span>{lastUsedAt ? <>{fillIn(texts.used, { time: <TimeAgo date={lastUsedAt} /> })}</> : texts.neverUsed}</span>
        {isUnused && <Status tone="warn">{texts.unused90Days}</Status>}
      </div>
      <div className={styles.actions}>
        <Button size="small" onClick={onRotate}>
          {texts.rotate}
        </Button>
        <Button size="small" onClick={onRevoke}>
          {texts.revoke}
        </Button>
      </div>
    </li>
  );
}
