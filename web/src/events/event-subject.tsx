import { Link, type LinkProps } from '@tanstack/react-router';
import type { RecentEventsQuery } from '../api/generated/operations.ts';
import { common } from '../parts/common-texts.ts';
import { texts } from './texts.ts';

type AccountEvent = Pick<RecentEventsQuery['recentEvents']['data'][number], 'type' | 'data'>;
type Subject = Pick<LinkProps, 'to' | 'params'> & { label: string };

/** A link to the subject of an event, unless the event deleted it. */
export function EventSubject({ event }: { event: AccountEvent }) {
  const text = (name: string): string => {
    const value = (event.data as Record<string, unknown>)[name];
    return typeof value === 'string' ? value : '';
  };
  const name = text('name') || text('title');
  if (event.type.endsWith('_DELETED')) return <span dir="auto">{name}</span>;
  const subject = subjectOf(event.type, text);
  if (!subject || Object.values(subject.params ?? {}).includes('')) return <span />;
  const { label, ...link } = subject;
  return (
    <Link {...link} className="target" dir="auto">
      {name || label}
    </Link>
  );
}

/** The screen of an event's subject. A parameter is empty if the event has no such subject. */
function subjectOf(type: AccountEvent['type'], text: (name: string) => string): Subject | null {
  const id = text('id');
  const agentId = text('agent_id');
  if (type.startsWith('AGENT_VERSION_'))
    return { to: '/agents/$agentId/versions', params: { agentId }, label: common.agent };
  switch (type.slice(0, type.indexOf('_'))) {
    case 'AGENT':
      return { to: '/agents/$agentId/edit', params: { agentId: agentId || id }, label: common.agent };
    case 'IMAGE':
      return { to: '/agents/$agentId/edit', params: { agentId }, label: common.agent };
    case 'EXPERIMENT':
      return { to: '/agents/$agentId/experiments', params: { agentId }, label: texts.experiment };
    case 'REVIEW':
      return { to: '/marketplace/$slugOrId', params: { slugOrId: agentId }, label: texts.review };
    case 'CONVERSATION':
      return { to: '/chat/$conversationId', params: { conversationId: id }, label: texts.conversation };
    case 'MESSAGE':
      return {
        to: '/chat/$conversationId',
        params: { conversationId: text('conversation_id') },
        label: texts.conversation,
      };
    case 'ROOM':
      return { to: '/rooms/$roomId', params: { roomId: text('room_id') || id }, label: texts.room };
    case 'EMBED':
      return { to: '/embeds/$embedId', params: { embedId: text('embed_id') }, label: texts.embed };
    case 'INTEGRATION':
      return { to: '/integrations/$integrationId', params: { integrationId: id }, label: texts.integration };
    case 'SHARE':
      return { to: '/settings/sharing', label: texts.share };
    case 'USER':
      return { to: '/me/followers', label: texts.followers };
    case 'MODERATION':
      return { to: '/settings/reports', label: texts.decision };
    case 'SUBSCRIPTION':
      return { to: '/settings/billing', label: common.billing };
    default:
      return null;
  }
}
