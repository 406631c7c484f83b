import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import {
  DeleteEmbedDocument,
  EmbedDocument,
  type EmbedFieldsFragment,
  EmbedsDocument,
  RotateEmbedSecretDocument,
  ServiceDocument,
  UpdateEmbedDocument,
} from '../api/generated/operations.ts';
import { ownAgentsQuery } from '../api/own-agents.ts';
import { keyOf, query } from '../api/query.ts';
import { requestRemoval } from '../api/request-removal.ts';
import { request } from '../api/request.ts';
import { ApiNote } from '../parts/page/api-note.tsx';
import { Button } from '../parts/controls/button.tsx';
import { CodeBox } from '../parts/values/code-box.tsx';
import { ConfirmDialog } from '../parts/layers/confirm-dialog.tsx';
import { fillIn } from '../parts/values/fill-in.tsx';
import { Page } from '../parts/page/page.tsx';
import { SecretDialog } from '../parts/layers/secret-dialog.tsx';
import { Status } from '../parts/figures/status.tsx';
import { notifyFailure } from '../parts/layers/toast-store.ts';
import { EmbedForm } from './embed-form.tsx';
import { EmbedFigures } from './embed-figures.tsx';
import { EmbedVisitors } from './embed-visitors.tsx';
import { common } from '../parts/common-texts.ts';
import { texts } from './texts.ts';
import styles from './embeds.module.css';

/** One embed: its code, figures, settings and visitors. */
export function EmbedPage() {
  const { embedId } = useParams({ from: '/frame/embeds/$embedId' });
  const cache = useQueryClient();
  const { embed } = useSuspenseQuery(query(EmbedDocument, { id: embedId })).data;
  const { data: agents } = useQuery(ownAgentsQuery());
  const { data: service } = useQuery({ ...query(ServiceDocument, {}), staleTime: Infinity });
  const agentName = agents?.agents.data.find(({ id }) => id === embed.agentId)?.name ?? common.agent;
  const refresh = async (): Promise<void> => {
    for (const document of [EmbedDocument, EmbedsDocument])
      await cache.invalidateQueries({ queryKey: keyOf(document) });
  };
  const isLocal = service?.service.profile === 'EMBEDDED' && embed.test && embed.active;
  return (
    <Page
      isWide
      title={embed.name}
      lead={<Status tone={embed.active ? 'good' : 'muted'}>{embed.active ? common.active : texts.paused}</Status>}
      action={<Actions embed={embed} onChanged={refresh} />}
    >
      <section className={styles.section} aria-labelledby="line">
        <h2 id="line">{texts.line}</h2>
        <CodeBox label={texts.lineLabel} text={embed.snippet} />
        <p className={styles.hint}>
          {fillIn(texts.lineHint, { script: <code>{'script-src'}</code>, frame: <code>{'frame-src'}</code> })}{' '}
          <a href="/docs/guide/embedding">{texts.readGuide}</a>{' '}
          {isLocal && (
            <a href={`/dev/embed?embed=${embed.id}`} target="_blank" rel="noreferrer">
              {texts.seeOnOtherOrigin}
            </a>
          )}
        </p>
      </section>
      <EmbedFigures embed={embed} />
      <EmbedForm key={embed.id} embed={embed} agentName={agentName} onSaved={() => void refresh()} />
      <EmbedVisitors embedId={embed.id} />
      <ApiNote tag="embeds" path={`/v1/embeds/${embed.id}`} />
    </Page>
  );
}

interface ActionsProps {
  embed: EmbedFieldsFragment;
  onChanged: () => Promise<void>;
}

function Actions({ embed: { id, active, identity }, onChanged }: ActionsProps) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [isDeleting, setDeleting] = useState(false);
  const [isRotating, setRotating] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const turn = useMutation({
    mutationFn: (isActive: boolean) => request(UpdateEmbedDocument, { id, input: { active: isActive } }),
    onSuccess: onChanged,
    onError: (error, isActive) => notifyFailure(texts.notChanged, error, () => turn.mutate(isActive)),
  });
  return (
    <>
      <Button isBusy={turn.isPending} onClick={() => turn.mutate(!active)}>
        {active ? texts.pause : common.resume}
      </Button>
      {identity !== 'ANONYMOUS' && <Button onClick={() => setRotating(true)}>{texts.newSecret}</Button>}
      <Button onClick={() => setDeleting(true)}>{common.delete}</Button>
      <ConfirmDialog
        isOpen={isRotating}
        title={texts.replaceQuestion}
        description={texts.replaceEffect}
        action={texts.replace}
        onClose={() => setRotating(false)}
        onConfirm={async () => {
          const { rotateEmbedSecret } = await request(RotateEmbedSecretDocument, { id });
          setRotating(false);
          setSecret(rotateEmbedSecret.identitySecret ?? '');
        }}
      />
      <ConfirmDialog
        isOpen={isDeleting}
        title={texts.deleteQuestion}
        description={texts.deleteEffect}
        action={common.delete}
        onClose={() => setDeleting(false)}
        onConfirm={async () => {
          await requestRemoval(DeleteEmbedDocument, { id });
          await navigate({ to: '/embeds' });
          cache.removeQueries({ queryKey: keyOf(EmbedDocument, { id }) });
          await cache.invalidateQueries({ queryKey: keyOf(EmbedsDocument) });
        }}
      />
      {secret !== null && (
        <SecretDialog
          title={texts.storeSecret}
          description={texts.secretUse}
          label={texts.secret}
          secret={secret}
          onStored={() => setSecret(null)}
        />
      )}
    </>
  );
}
