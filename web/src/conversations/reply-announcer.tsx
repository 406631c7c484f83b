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
/** A sentence is looked for in so much of the end. */
const recentCharacters = 2_000;

/**
 * Says to screen readers that a reply is being written, and then its text: twice for a reply, because a region that
 * changes with each word can't be listened to. By preference it says each sentence instead.
 */
export function ReplyAnnouncer({ agentName, live }: ReplyAnnouncerProps) {
  const { announceSentences } = usePreferences();
  const [said, say] = useState('');
  const next = live && announcement(live, agentName, announceSentences);
  // What was said last stays when the reply is stored.
  if (next !== null && next !== said) say(next);
  return (
    <div className="visually-hidden" role="status" data-announcer="">
      {said}
    </div>
  );
}

function announcement(live: LiveReplyState, agentName: string, bySentences: boolean): string | null {
  // What failed is said by its own note.
  if (live.status === 'failed') return null;
  const sentence = bySentences ? lastSentence(plainText(live.text.slice(-recentCharacters)), live.stored !== null) : '';
  if (sentence) return sentence;
  if (!live.stored) return texts.isWriting(agentName);
  const text = plainText(live.text);
  return text.length <= maximumCharacters ? text : texts.replyLonger(text.slice(0, maximumCharacters));
}
