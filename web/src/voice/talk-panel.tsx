import { Hand, Mic, MicOff, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Level } from '../chat/composer/level.tsx';
import { Button } from '../parts/controls/button.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import type { TalkPhase, TalkState } from './talk.ts';
import { texts } from './texts.ts';
import { useTalk } from './use-talk.ts';
import styles from './talk-panel.module.css';

interface TalkPanelProps {
  conversationId: string;
  agentName: string;
  /** Called when a message of the conversation was stored. */
  onMessage: () => void;
  /** Called when a reply has started. */
  onReply: (generationId: string) => void;
  onEnd: () => void;
}

/** Replaces the composer during a spoken conversation: the current turn, what was understood and said, and controls. */
export default function TalkPanel(props: TalkPanelProps) {
  const [attempt, setAttempt] = useState(0);
  return <OpenTalk key={attempt} {...props} onAgain={() => setAttempt(attempt + 1)} />;
}

function OpenTalk({
  conversationId,
  agentName,
  onMessage,
  onReply,
  onEnd,
  onAgain,
}: TalkPanelProps & { onAgain: () => void }) {
  const { state, talk } = useTalk({ conversationId, onMessage, onReply });
  const { phase, isMuted, stream, problem } = state;
  const isStopped = phase === 'stopped';
  useEffect(() => {
    // An open dialog handles Escape first and prevents the default.
    const onKey = ({ key, defaultPrevented }: KeyboardEvent): void => {
      if (key === 'Escape' && !defaultPrevented) onEnd();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [onEnd]);
  return (
    <section className={styles.panel} aria-label={texts.talk}>
      <div className={styles.head}>
        <span className={styles.mark} data-phase={phase} aria-hidden="true" />
        <p className={styles.status} role="status" data-phase={phase}>
          {isMuted && phase === 'listening' ? texts.muted : statusOf(phase, agentName)}
        </p>
        {stream && <Level stream={stream} />}
      </div>
      <Captions state={state} agentName={agentName} />
      {problem && (isStopped || problem.code !== 'NOT_UNDERSTOOD') && (
        <ErrorNote error={problem} onRetry={isStopped ? onAgain : undefined} />
      )}
      {problem && !isStopped && problem.code === 'NOT_UNDERSTOOD' && (
        <p className={styles.note} role="status">
          {problem.message}
        </p>
      )}
      <div className={styles.actions}>
        {(phase === 'answering' || phase === 'speaking') && (
          <Button size="small" onClick={() => talk.current?.interrupt()}>
            <Hand size={14} />
            {texts.interrupt}
          </Button>
        )}
        {stream && (
          <Button size="small" variant="quiet" aria-pressed={isMuted} onClick={() => talk.current?.setMuted(!isMuted)}>
            {isMuted ? <MicOff size={14} /> : <Mic size={14} />}
            {texts.mute}
          </Button>
        )}
        <Button size="small" autoFocus onClick={onEnd}>
          <X size={14} />
          {isStopped ? texts.close : texts.endTalking}
        </Button>
      </div>
    </section>
  );
}

function Captions({ state: { heard, said }, agentName }: { state: TalkState; agentName: string }) {
  if (heard === '' && said === '') return null;
  return (
    <div className={styles.captions}>
      <p role="status" dir="auto">
        {heard !== '' && <b>{texts.you}</b>}
        {heard}
      </p>
      {said !== '' && (
        <p dir="auto">
          <b>
            <bdi>{agentName}</bdi>
          </b>
          {said}
        </p>
      )}
    </div>
  );
}

function statusOf(phase: TalkPhase, agentName: string): string {
  switch (phase) {
    case 'connecting':
      return texts.connecting;
    case 'listening':
      return texts.listening;
    case 'hearing':
      return texts.hearing;
    case 'understanding':
      return texts.understanding;
    case 'answering':
      return texts.agentAnswers(agentName);
    case 'speaking':
      return texts.agentSpeaks(agentName);
    case 'reconnecting':
      return texts.connectionLost;
    case 'stopped':
      return texts.stopped;
  }
}
