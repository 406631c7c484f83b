import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { MyChatAgentsDocument, SearchConversationsDocument } from '../api/generated/operations.ts';
import { query } from '../api/query.ts';
import { plainText } from '../chat/plain-text.ts';
import { conversationsQuery } from '../conversations/thread-query.ts';
import { common } from '../parts/common-texts.ts';
import { useOfferedActions } from '../parts/page-actions.ts';
import { setPreferences } from '../preferences/preferences.ts';
import type { PaletteGroup } from './palette-entries.ts';
import { ownNavItems } from '../social/own-nav-items.ts';
import { settings } from './nav-items.ts';
import { texts } from './texts.ts';
import { useNavItems } from './use-nav-items.ts';

const shortestSearch = 2;

const themes = [
  ['system', texts.themeSystem],
  ['light', texts.themeLight],
  ['dark', texts.themeDark],
] as const;

const others = [{ to: '/search', label: common.search }, ...ownNavItems] as const;
const reports = { to: '/settings/reports', label: texts.reportsAndDecisions } as const;

/** Returns everything that the palette can find, in groups. */
export function usePaletteSources(typed: string): PaletteGroup[] {
  const navigate = useNavigate();
  const offered = useOfferedActions();
  const { data: agents } = useQuery(query(MyChatAgentsDocument, {}));
  const { data: conversations } = useInfiniteQuery(conversationsQuery());
  const { data: found } = useQuery({
    ...query(SearchConversationsDocument, { q: typed, limit: 5 }),
    enabled: typed.length >= shortestSearch,
    placeholderData: keepPreviousData,
  });
  const hits = typed.length >= shortestSearch ? (found?.searchConversations.data ?? []) : [];
  return [
    { label: texts.thisPage, entries: offered.map(({ label, run }) => ({ key: label, label, run })) },
    {
      label: texts.goTo,
      entries: [...useNavItems(), ...others, settings, reports].map(({ to, label }) => ({
        key: to,
        label,
        run: () => void navigate({ to }),
      })),
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
      entries: (agents?.agents.data ?? []).map(({ id, name }) => ({
        key: id,
        label: name,
        run: () => void navigate({ to: '/chat', search: { agent: id } }),
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
}

/** Returns found text without its match marks and Markdown syntax. */
function textOf(highlight: string): string {
  const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': '’' };
  return plainText(highlight)
    .replaceAll(/<\/?mark>/g, '')
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (_entity, name: string) => entities[name] ?? '');
}
