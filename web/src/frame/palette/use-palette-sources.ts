import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { SearchConversationsDocument, ServiceDocument } from '../../api/generated/operations.ts';
import { ownAgentsQuery } from '../../api/own-agents.ts';
import { query } from '../../api/query.ts';
import { plainHighlight } from '../../chat/markdown/plain-text.ts';
import { conversationsQuery } from '../../conversations/thread/thread-query.ts';
import { useModerator } from '../../moderation/use-moderator.ts';
import { common } from '../../parts/common-texts.ts';
import { useOfferedActions } from '../../parts/page/page-actions.ts';
import { useSettled } from '../../parts/use-settled.ts';
import { setPreferences } from '../../preferences/preferences.ts';
import type { PaletteGroup } from './palette-entries.ts';
import { localScreens, moderatorScreens, screens } from './palette-screens.ts';
import { texts as shared } from '../texts.ts';
import { texts } from './texts.ts';

const guides = '/docs/guide';
const shortestSearch = 2;

const themes = [
  ['system', texts.themeSystem],
  ['light', texts.themeLight],
  ['dark', texts.themeDark],
] as const;

interface PaletteSources {
  /** Everything that the palette can find. */
  groups: PaletteGroup[];
  /** Whether messages with the typed words are still being found, or cannot be. */
  search: 'done' | 'running' | 'failed';
}

export function usePaletteSources(typed: string, onKeys: () => void): PaletteSources {
  const navigate = useNavigate();
  const offered = useOfferedActions();
  const { data: agents } = useQuery(ownAgentsQuery());
  const { data: conversations } = useInfiniteQuery(conversationsQuery());
  const isSearch = typed.length >= shortestSearch;
  const words = useSettled(typed);
  const found = useQuery({
    ...query(SearchConversationsDocument, { q: words, limit: 5 }),
    enabled: isSearch && words.length >= shortestSearch,
    placeholderData: keepPreviousData,
  });
  const hits = isSearch ? (found.data?.searchConversations.data ?? []) : [];
  const isRunning = isSearch && (words !== typed || found.isFetching);
  const isModerator = useModerator();
  const { data: service } = useQuery({ ...query(ServiceDocument, {}), staleTime: Infinity });
  const { profile, mailOutboxUrl: outbox } = service?.service ?? {};
  const ownAgents = agents?.agents.data ?? [];
  const groups = [
    { label: texts.thisPage, entries: offered.map(({ label, run }) => ({ key: label, label, run })) },
    {
      label: texts.goTo,
      entries: [
        ...[...screens, ...(isModerator ? moderatorScreens : []), ...(profile === 'embedded' ? localScreens : [])].map(
          (screen) => ({
            key: screen.to,
            label: screen.label,
            ...('hint' in screen && { hint: screen.hint }),
            run: () => void navigate({ to: screen.to }),
          }),
        ),
        { key: '/docs', label: common.apiReference, run: () => location.assign('/docs') },
        { key: guides, label: shared.guides, run: () => location.assign(guides) },
        { key: 'keys', label: texts.keyboard, hint: '?', run: onKeys },
        ...(outbox ? [{ key: outbox, label: shared.localProfileMailOutbox, run: () => location.assign(outbox) }] : []),
      ],
    },
    {
      label: common.conversations,
      entries: (conversations?.pages ?? []).flatMap((page) =>
        page.conversations.data.map(({ id, title }) => ({
          key: id,
          label: title ?? texts.newConversation,
          run: () => void navigate({ to: '/chat/$conversationId', params: { conversationId: id } }),
        })),
      ),
    },
    {
      label: texts.chatWith,
      entries: ownAgents.map(({ id, name }) => ({
        key: id,
        label: name,
        run: () => void navigate({ to: '/chat', search: { agent: id } }),
      })),
    },
    {
      label: texts.editAgent,
      entries: ownAgents.map(({ id, name }) => ({
        key: `edit-${id}`,
        label: name,
        hint: common.edit,
        run: () => void navigate({ to: '/agents/$agentId/edit', params: { agentId: id } }),
      })),
    },
    {
      label: common.messages,
      isFound: true,
      entries: hits.map(({ message, conversation, highlight }) => ({
        key: message.id,
        label: textOf(highlight),
        hint: conversation.title ?? texts.newConversation,
        run: () =>
          void navigate({
            to: '/chat/$conversationId',
            params: { conversationId: conversation.id },
            search: { m: message.id, q: typed },
          }),
      })),
    },
    {
      label: common.preferences,
      entries: themes.map(([theme, label]) => ({ key: theme, label, run: () => setPreferences({ theme }) })),
    },
  ];
  if (isRunning) return { groups, search: 'running' };
  return { groups, search: isSearch && found.isError ? 'failed' : 'done' };
}

/** Returns found text without its match marks and Markdown syntax. */
function textOf(highlight: string): string {
  const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': '’' };
  return plainHighlight(highlight)
    .replaceAll(/<\/?mark>/g, '')
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (_entity, name: string) => entities[name] ?? '');
}
