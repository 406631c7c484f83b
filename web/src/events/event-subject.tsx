import { Link } from '@tanstack/react-router';
import type { RecentEventsQuery } from '../api/generated/operations.ts';
import { common } from '../parts/common-texts.ts';
import { texts } from './texts.ts';

type AccountEvent = Pick<RecentEventsQuery['recentEvents']['data'][number], 'type' | 'data'>;

const textOf = (data: Record<string, unknown>, name: string): string => {
  const value = data[name];
  return typeof value === 'string' ? value : '';
};

/** A link to the subject of an event, unless the event deleted it. */
export function EventSubject({ event: { type, data } }: { event: AccountEvent }) {
  const fields = data as Record<string, unknown>;
  const id = textOf(fields, 'id');
  const name = textOf(fields, 'name') || textOf(fields, 'title');
  const area = type.slice(0, type.indexOf('_'));
  const conversationId = area === 'CONVERSATION' ? id : textOf(fields, 'conversation_id');
  const embedId = textOf(fields, 'embed_id');
  if (type.endsWith('_DELETED')) return <span dir="auto">{name}</span>;
  if (area === 'AGENT' && id)
    return (
      <Link className="target" to="/agents/$agentId/edit" params={{ agentId: id }} dir="auto">
        {name || common.agent}
      </Link>
    );
  if (embedId)
    return (
      <Link className="target" to="/embeds/$embedId" params={{ embedId }}>
        {texts.embed}
      </Link>
    );
  if ((area === 'CONVERSATION' || area === 'MESSAGE') && conversationId)
    return (
      <Link className="target" to="/chat/$conversationId" params={{ conversationId }} dir="auto">
        {name || texts.conversation}
      </Link>
    );
  if (area === 'INTEGRATION' && id)
    return (
      <Link className="target" to="/integrations/$integrationId" params={{ integrationId: id }}>
        {texts.integration}
      </Link>
    );
  if (area === 'MODERATION')
    return (
      <Link className="target" to="/settings/reports">
        {texts.decision}
      </Link>
    );
  if (area === 'SUBSCRIPTION')
    return (
      <Link className="target" to="/settings/billing">
        {common.billing}
      </Link>
    );
  return <span />;
}
