import { useState } from 'react';
import { usePreferences } from '../../preferences/preferences.ts';
import { plainText } from '../../../../src/core/markdown/plain-text.ts';
import { lastSentence } from '../markdown/plain-text.ts';
import { texts } from '../texts.ts';
import type { LiveReplyState } from './live-reply.ts';

interface ReplyAnnouncerProps {
  agentName: string;
  live: LiveReplyState | null;
}

const maximumCharacters = 1_000;
/** How much of the end is searched for a sentence. */
const recentCharacters = 2_000;

/**
 * Announces to screen readers that a reply is being written, and at its end the text: two announcements, because a live
 * region that changes with each word is unusable. By preference it announces each sentence instead.
 */
export function ReplyAnnouncer({ agentName, live }: ReplyAnnouncerProps) {
  const { announceSentences } = usePreferences();
  const [said, say] = useState({ text: '', isFinal: true });
  const next = live ? announcement(live, agentName, announceSentences) : said.text;
  const isFinal = live ? live.stored !== null : said.isFinal;
  // The text of a stored reply stays. A reply that ends without one, such as a removed message, is no longer written.
  if (!live && !isFinal) say({ text: '', isFinal: true });
  else if (next !== null && (next !== said.text || isFinal !== said.isFinal)) say({ text: next, isFinal });
  return (
    <div className="visually-hidden" role="status" data-announcer="">
      {said.text}
    </div>
  );
}

function announcement(live: LiveReplyState, agentName: string, bySentences: boolean): string | null {
  // Notes of their own announce a failure and why a reply waits.
  if (live.status === 'failed') return '';
  if (live.status === 'waiting' || live.status === 'queued') return live.generationId === null ? '' : null;
  if (live.status === 'connecting' && !navigator.onLine) return null;
  const sentence = bySentences ? lastSentence(plainText(live.text.slice(-recentCharacters)), live.stored !== null) : '';
  if (sentence) return sentence;
  if (!live.stored) return texts.isWriting(agentName);
  const text = plainText(live.text);
  return text.length <= maximumCharacters ? text : texts.replyLonger(text.slice(0, maximumCharacters));
}
