import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Code, Plus } from 'lucide-react';
import { useState } from 'react';
import { CreateEmbedDocument, EmbedsDocument, type EmbedsQuery } from '../api/generated/operations.ts';
import { ownAgentsQuery } from '../api/own-agents.ts';
import { keyOf, pagedQuery } from '../api/query.ts';
import { request } from '../api/request.ts';
import { ApiNote } from '../parts/page/api-note.tsx';
import { Button } from '../parts/controls/button.tsx';
import { type Column, DataTable } from '../parts/lists/data-table.tsx';
import { EmptyState } from '../parts/lists/empty-state.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { Page } from '../parts/page/page.tsx';
import { SecretDialog } from '../parts/layers/secret-dialog.tsx';
import { Skeleton } from '../parts/lists/skeleton.tsx';
import { Status } from '../parts/figures/status.tsx';
import { NewEmbedDialog } from './new-embed-dialog.tsx';
import { common } from '../parts/common-texts.ts';
import { usePageActions } from '../parts/page/page-actions.ts';
import { texts } from './texts.ts';

type Row = EmbedsQuery['embeds']['data'][number];

/** The embeds of the account: agents on other websites. */
export function EmbedsPage() {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const list = useInfiniteQuery(
    pagedQuery(EmbedsDocument, {}, ({ embeds: { pageInfo } }) => (pageInfo.hasNextPage ? pageInfo.endCursor : null)),
  );
  const { data: agents } = useQuery(ownAgentsQuery());
  const [isNew, setNew] = useState(false);
  const [created, setCreated] = useState<{ id: string; secret: string } | null>(null);
  usePageActions([{ label: texts.newEmbed, run: () => setNew(true) }]);
  const embeds = list.data?.pages.flatMap((page) => page.embeds.data);
  const names = new Map(agents?.agents.data.map(({ id, name }) => [id, name]));
  const columns: Column<Row>[] = [
    {
      title: common.name,
      render: ({ id, name }) => (
        <Link to="/embeds/$embedId" params={{ embedId: id }} dir="auto">
          {name}
        </Link>
      ),
    },
    { title: common.agent, isMinor: true, render: ({ agentId }) => <bdi>{names.get(agentId) ?? common.agent}</bdi> },
    {
      title: texts.websites,
      isMinor: true,
      render: ({ allowedOrigins }) => (
        <span title={allowedOrigins.join('\n')}>
          {allowedOrigins[0]}
          {allowedOrigins.length > 1 && texts.andMore(allowedOrigins.length - 1)}
        </span>
      ),
    },
    {
      title: common.messages,
      width: '100px',
      align: 'end',
      render: ({ messageCount }) => messageCount.toLocaleString(),
    },
    {
      title: texts.state,
      width: '100px',
      render: ({ active }) => <Status tone={active ? 'good' : 'muted'}>{active ? common.active : texts.paused}</Status>,
    },
  ];
  const newButton = (
    <Button variant="primary" onClick={() => setNew(true)}>
      <Plus size={16} />
      {texts.newEmbed}
    </Button>
  );
  return (
    <Page title={texts.embeds} lead={texts.lead} action={(embeds ? embeds.length > 0 : list.isError) && newButton}>
      {list.error && <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
      {!embeds && !list.error && <Skeleton lines={['100%', '100%']} height={44} />}
      {embeds?.length === 0 && (
        <EmptyState icon={<Code size={20} />} title={texts.noEmbedYet} action={newButton}>
          {texts.whatEmbed} <a href="/docs/guide/embedding">{texts.readGuide}</a>
        </EmptyState>
      )}
      {embeds && embeds.length > 0 && (
        <DataTable label={texts.embeds} columns={columns} rows={embeds} idOf={({ id }) => id} />
      )}
      {list.hasNextPage && (
        <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {texts.showMore}
        </Button>
      )}
      <ApiNote tag="embeds" path="/v1/embeds" />
      <NewEmbedDialog
        isOpen={isNew}
        agents={agents?.agents.data ?? []}
        onClose={() => setNew(false)}
        onSave={async (input) => {
          const { createEmbed } = await request(CreateEmbedDocument, { input });
          setCreated({ id: createEmbed.id, secret: createEmbed.identitySecret ?? '' });
          void cache.invalidateQueries({ queryKey: keyOf(EmbedsDocument) });
        }}
      />
      {created && (
        <SecretDialog
          title={texts.storeSecret}
          description={texts.secretUseNew}
          label={texts.secret}
          secret={created.secret}
          onStored={() => void navigate({ to: '/embeds/$embedId', params: { embedId: created.id } })}
        />
      )}
    </Page>
  );
}
