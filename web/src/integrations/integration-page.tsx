import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import {
  DeleteIntegrationDocument,
  IntegrationDocument,
  IntegrationEventsDocument,
  type IntegrationFieldsFragment,
  IntegrationsDocument,
  ServiceDocument,
  TestIntegrationDocument,
  UpdateIntegrationDocument,
  type WebhookEventType,
} from '../api/generated/operations.ts';
import { keyOf, query } from '../api/query.ts';
import { requestRemoval } from '../api/request-removal.ts';
import { request } from '../api/request.ts';
import { eventWords } from '../api/event-texts.ts';
import { ApiNote } from '../parts/page/api-note.tsx';
import { Button } from '../parts/controls/button.tsx';
import { common } from '../parts/common-texts.ts';
import { ConfirmDialog } from '../parts/layers/confirm-dialog.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { Page } from '../parts/page/page.tsx';
import { QueryStates } from '../parts/lists/query-states.tsx';
import { Status, type StatusTone } from '../parts/figures/status.tsx';
import { Tile, Tiles } from '../parts/figures/tile.tsx';
import { exactTime, TimeAgo } from '../parts/values/time-ago.tsx';
import { ChannelsForm } from './channels-form.tsx';
import { IntegrationState } from './integration-state.tsx';
import { platforms } from './platforms.ts';
import { RetryButton } from './retry-button.tsx';
import { SimulatedPlatform } from './simulated-platform.tsx';
import { texts } from './texts.ts';
import { useAgentNames } from './use-agent-names.ts';
import styles from './integrations.module.css';

/** One integration: its state, a test, its channels and when it replies. */
export function IntegrationPage() {
  const { integrationId } = useParams({ from: '/frame/integrations/$integrationId' });
  const { integration } = useSuspenseQuery(query(IntegrationDocument, { id: integrationId })).data;
  const { data: service } = useQuery({ ...query(ServiceDocument, {}), staleTime: Infinity });
  const agents = useAgentNames();
  const { platform, agentId, error, messageCount, lastMessageAt, connectedAt } = integration;
  return (
    <Page
      title={texts.agentOn(agents?.get(agentId) ?? common.agent, platforms[platform].name)}
      lead={<IntegrationState integration={integration} />}
      action={<Actions integration={integration} />}
    >
      {error && (
        <div className={styles.fault} role="alert">
          <p>{error.message}</p>
          <RetryButton integrationId={integrationId} />
        </div>
      )}
      <Tiles>
        <Tile label={common.messages}>{messageCount.toLocaleString()}</Tile>
        <Tile label={texts.lastMessage}>{lastMessageAt ? <TimeAgo date={lastMessageAt} /> : texts.noneYet}</Tile>
        <Tile label={texts.connected}>
          <TimeAgo date={connectedAt} />
        </Tile>
      </Tiles>
      {service?.service.simulatedPlatforms && <SimulatedPlatform integration={integration} />}
      <ChannelsForm key={integration.id} integration={integration} />
      <History integrationId={integrationId} />
      <ApiNote tag="integrations" path={`/v1/integrations/${integrationId}`} />
    </Page>
  );
}

function Actions({ integration: { id, status } }: { integration: IntegrationFieldsFragment }) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [isDeleting, setDeleting] = useState(false);
  const refresh = async (): Promise<void> => {
    for (const document of [IntegrationDocument, IntegrationsDocument])
      await cache.invalidateQueries({ queryKey: keyOf(document) });
  };
  const turn = useMutation({
    mutationFn: (isActive: boolean) => request(UpdateIntegrationDocument, { id, input: { active: isActive } }),
    onSuccess: refresh,
  });
  const test = useMutation({ mutationFn: () => request(TestIntegrationDocument, { id }) });
  const result = test.data?.testIntegration.testResult;
  return (
    <>
      <span role="status" className={styles.result}>
        {result && (
          <Status tone={result.success ? 'good' : 'bad'}>
            {result.success ? texts.sentMs(result.latencyMs) : texts.notSentMs(result.latencyMs)}
          </Status>
        )}
        {result?.error && <span className={styles.hint}>{result.error.message}</span>}
      </span>
      <Button variant="primary" disabled={status === 'INACTIVE'} isBusy={test.isPending} onClick={() => test.mutate()}>
        {texts.test}
      </Button>
      <Button isBusy={turn.isPending} onClick={() => turn.mutate(status === 'INACTIVE')}>
        {status === 'INACTIVE' ? texts.switchOn : texts.switchOff}
      </Button>
      <Button onClick={() => setDeleting(true)}>{common.delete}</Button>
      {test.error && <ErrorNote error={test.error} onRetry={() => test.mutate()} />}
      {turn.error && <ErrorNote error={turn.error} onRetry={() => turn.mutate(turn.variables)} />}
      <ConfirmDialog
        isOpen={isDeleting}
        title={texts.deleteIntegration}
        description={texts.botDisconnectsTokenForgotten}
        action={common.delete}
        onClose={() => setDeleting(false)}
        onConfirm={async () => {
          await requestRemoval(DeleteIntegrationDocument, { id });
          await navigate({ to: '/integrations', search: {} });
          cache.removeQueries({ queryKey: keyOf(IntegrationDocument, { id }) });
          await cache.invalidateQueries({ queryKey: keyOf(IntegrationsDocument) });
        }}
      />
    </>
  );
}

const tones: Partial<Record<WebhookEventType, StatusTone>> = {
  INTEGRATION_ERROR: 'bad',
  INTEGRATION_CONNECTED: 'good',
};

/** State changes of an integration, from the account's events. */
function History({ integrationId }: { integrationId: string }) {
  const recent = useQuery(query(IntegrationEventsDocument, { id: integrationId }));
  const events = recent.data?.recentEvents.data;
  return (
    <section className={styles.section} aria-labelledby="history">
      <h2 id="history">{texts.history}</h2>
      <QueryStates query={recent} lines={['100%', '100%']} height={36} />
      {events?.length === 0 && <p className={styles.hint}>{texts.nothingYet}</p>}
      <ol className={styles.history}>
        {events?.map(({ id, type, createdAt, data: fields }) => (
          <li key={id}>
            <Status tone={tones[type] ?? 'muted'}>{messageIn(fields) ?? eventWords(type)}</Status>
            <time dateTime={createdAt}>{exactTime(createdAt)}</time>
          </li>
        ))}
      </ol>
    </section>
  );
}

function messageIn(fields: Record<string, unknown>): string | null {
  const error = fields['error'] as { message?: unknown } | null | undefined;
  return typeof error?.message === 'string' ? error.message : null;
}
