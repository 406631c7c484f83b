import { z } from 'zod';
import { AppError } from '../../core/errors.ts';
import type { InboundMessage, PlatformCall, PlatformRequest } from '../../integrations/platforms.ports.ts';
import { isSignedBySlack } from './signature.ts';

const messageEvent = z.object({
  type: z.enum(['message', 'app_mention']),
  subtype: z.string().optional(),
  channel: z.string(),
  channel_type: z.string().optional(),
  user: z.string().optional(),
  bot_id: z.string().optional(),
  text: z.string().optional(),
  ts: z.string(),
  thread_ts: z.string().optional(),
  parent_user_id: z.string().optional(),
  files: z.array(z.unknown()).optional(),
});

const envelope = z.object({
  type: z.string(),
  challenge: z.string().max(1_000).optional(),
  team_id: z.string().optional(),
  authorizations: z.array(z.object({ user_id: z.string().nullish() })).nullish(),
  event: z.unknown().optional(),
});

const personSubtypes = [undefined, 'thread_broadcast', 'file_share', 'me_message'];

/**
 * Authenticates and parses a request of Slack's Events API.
 * @throws AppError `unauthenticated`, `invalid_request`
 */
export function readCall(request: PlatformRequest, secret: string | null, now: Date): PlatformCall {
  const header = (name: string) => String(request.headers[name] ?? '');
  const timestamp = header('x-slack-request-timestamp');
  const signature = header('x-slack-signature');
  if (secret === null || !isSignedBySlack({ secret, timestamp, signature, body: request.body, now })) {
    throw new AppError('unauthenticated', { message: 'The signature of the request is not valid.' });
  }
  const call = envelope.safeParse(parseJson(request.body));
  if (!call.success) throw new AppError('invalid_request');
  const { type, challenge, team_id: place, authorizations, event } = call.data;
  if (type === 'url_verification' && challenge !== undefined) return { kind: 'challenge', challenge };
  if (type !== 'event_callback' || place === undefined) return { kind: 'other' };
  const botUserIds = (authorizations ?? []).map(({ user_id: id }) => id ?? '').filter(Boolean);
  const message = toInbound(event, botUserIds);
  return message ? { kind: 'message', place, botUserIds, message } : { kind: 'other' };
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new AppError('invalid_request', { message: 'The body is not valid JSON.' });
  }
}

/**
 * Converts a person's message. Returns null for everything else: bots, joins, edits. A mention arrives as two events
 * with the same `ts`.
 */
function toInbound(event: unknown, botUserIds: readonly string[]): InboundMessage | null {
  const { data } = messageEvent.safeParse(event);
  const hasAttachment = (data?.files?.length ?? 0) > 0;
  if (!data?.user || data.bot_id || (!data.text && !hasAttachment) || !personSubtypes.includes(data.subtype))
    return null;
  if (botUserIds.includes(data.user)) return null;
  const { channel, ts, thread_ts: threadId } = data;
  const isMentioned = data.type === 'app_mention' || botUserIds.some((id) => data.text?.includes(`<@${id}>`));
  const isToBot = data.channel_type === 'im' || botUserIds.includes(data.parent_user_id ?? '');
  return {
    eventId: `${channel}:${ts}`,
    channelId: channel,
    chatId: threadId ? `${channel}:${threadId}` : channel,
    personId: data.user,
    text: readable(data.text ?? '', botUserIds, hasAttachment),
    hasAttachment,
    isDirected: isMentioned || isToBot,
    target: { channelId: channel, ...(threadId ? { threadId } : {}) },
  };
}

/** A reference in Slack's markup: a person, a channel, a group, a special mention, a date or a link, with its label. */
const reference = /<([@#!]?)([^<>|]{1,3000})(?:\|([^<>]{0,3000}))?>/g;

/** Returns a text as its author sees it. Mentions of the bot are removed unless nothing else remains. */
function readable(text: string, botUserIds: readonly string[], hasAttachment: boolean): string {
  const rest = botUserIds.reduce((left, id) => left.replaceAll(new RegExp(`<@${id}(?:\\|[^<>]*)?>`, 'g'), ''), text);
  return (rest.trim() || (hasAttachment ? '' : text))
    .replaceAll(reference, (_all, kind: string, of: string, label = '') => labelOf(kind, of, label))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

function labelOf(kind: string, of: string, label: string): string {
  if (kind === '@') return `@${label.replace(/^@/, '') || of}`;
  if (kind === '#') return `#${label || of}`;
  // Special mentions: `!here`, `!subteam^S1|@team`, `!date^1392734382^{date}|February 18`.
  if (kind === '!') return label || `@${of.split('^')[0]}`;
  const url = of.replace(/^mailto:/, '');
  return label === '' || label === url || url.endsWith(`://${label}`) ? url : `${label} (${url})`;
}
