import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type IntegrationFieldsFragment, IntegrationsDocument } from '../api/generated/operations.ts';
import { query } from '../api/query.ts';
import { ApiNote } from '../parts/page/api-note.tsx';
import { Button } from '../parts/controls/button.tsx';
import { common } from '../parts/common-texts.ts';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { fillIn } from '../parts/values/fill-in.tsx';
import { Page } from '../parts/page/page.tsx';
import { Skeleton } from '../parts/lists/skeleton.tsx';
import { TimeAgo } from '../parts/values/time-ago.tsx';
import { usePageActions } from '../parts/page/page-actions.ts';
import { ConnectDialog } from './connect-dialog.tsx';
import { IntegrationState } from './integration-state.tsx';
import { platformKinds, platforms } from './platforms.ts';
import { RetryButton } from './retry-button.tsx';
import { texts } from './texts.ts';
import { useAgentNames } from './use-agent-names.ts';
import styles from './integrations.module.css';

/** Agents on chat platforms, and actions that connect more. */
export function IntegrationsPage() {
  const { connect } = useSearch({ from: '/frame/integrations' });
  const navigate = useNavigate({ from: '/integrations' });
  const list = useQuery(query(IntegrationsDocument, {}));
  const integrations = list.data?.integrations.data;
  usePageActions(
    platformKinds.map((kind) => ({
      label: texts.connectPlatformNamed(platforms[kind].name),
      run: () => void navigate({ search: { connect: kind } }),
    })),
  );
  return (
    <Page title={common.integrations} lead={texts.agentsWherePeopleAlready}>
      {list.error && <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
      {!integrations && !list.error && <Skeleton lines={['100%', '100%']} height={64} />}
      {integrations && integrations.length > 0 && (
        <ul className={styles.list}>
          {integrations.map((integration) => (
            <li key={integration.id}>
              <IntegrationRow integration={integration} />
            </li>
          ))}
        </ul>
      )}
      <section className={styles.section} aria-labelledby="platforms">
        <h2 id="platforms">{texts.connectPlatform}</h2>
        <ul className={styles.cards}>
          {platformKinds.map((kind) => (
            <li key={kind} className={styles.card}>
              <h3>{platforms[kind].name}</h3>
              <p>{platforms[kind].lead}</p>
              <Button onClick={() => void navigate({ search: { connect: kind } })}>
                {texts.connectPlatformNamed(platforms[kind].name)}
              </Button>
            </li>
          ))}
        </ul>
        <p className={styles.hint}>
          <a href="/docs/guide/platforms">{texts.howRepliesWorkEach}</a>
        </p>
      </section>
      <ApiNote tag="integrations" path="/v1/integrations" />
      <ConnectDialog platform={connect} onClose={() => void navigate({ search: {} })} />
    </Page>
  );
}

function IntegrationRow({ integration }: { integration: IntegrationFieldsFragment }) {
  const agents = useAgentNames();
  const { id, platform, agentId, guildId, workspaceId, channelIds, error, messageCount, lastMessageAt } = integration;
  const place = guildId ?? workspaceId;
  return (
    <div className={styles.row}>
      <div className={styles.names}>
        <Link to="/integrations/$integrationId" params={{ integrationId: id }} data-row className={styles.name}>
          {fillIn(texts.agentOn('{agent}', platforms[platform].name), {
            agent: <bdi>{agents?.get(agentId) ?? common.agent}</bdi>,
          })}
        </Link>
        <p className={styles.hint}>
          {place ? (
            <>
              <bdi dir="ltr">{place}</bdi>, {texts.channelCount(channelIds?.length ?? 0)}
            </>
          ) : (
            texts.everyChatBot
          )}
        </p>
        {error && <p className={styles.error}>{error.message}</p>}
      </div>
      <span className={styles.meta}>
        {texts.messages(messageCount)}
        {lastMessageAt && fillIn(texts.last, { time: <TimeAgo date={lastMessageAt} /> })}
      </span>
      <IntegrationState integration={integration} />
      {integration.status === 'ERROR' && <RetryButton integrationId={id} />}
    </div>
  );
}
