import { useState } from 'react';
import type { LiveReplyState } from '../chat/live-reply.ts';
import { lastSentence, plainText } from '../chat/plain-text.ts';
import { usePreferences } from '../preferences/preferences.ts';
import { texts } from './texts.ts';

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
  const [said, say] = useState('');
  const next = live && announcement(live, agentName, announceSentences);
  // Keep the last announcement when the reply is stored.
  if (next !== null && next !== said) say(next);
  return (
    <div className="visually-hidden" role="status" data-announcer="">
      {said}
    </div>
  );
}

function announcement(live: LiveReplyState, agentName: string, bySentences: boolean): string | null {
  // A note of its own announces the failure.
  if (live.status === 'failed') return null;
  const sentence = bySentences ? lastSentence(plainText(live.text.slice(-recentCharacters)), live.stored !== null) : '';
  if (sentence) return sentence;
  if (!live.stored) return texts.isWriting(agentName);
  const text = plainText(live.text);
  return text.length <= maximumCharacters ? text : texts.replyLonger(text.slice(0, maximumCharacters));
}
