import type { ChatAgentQuery } from '../../api/generated/operations.ts';
import { Markdown } from '../../chat/markdown/markdown.tsx';
import { Avatar } from '../../parts/avatar.tsx';
import { Button } from '../../parts/controls/button.tsx';
import { startersOf } from './starters.ts';
import { texts } from './texts.ts';
import styles from './new-chat-page.module.css';

interface GreetingPanelProps {
  agent: ChatAgentQuery['agent'];
  onStart: (content: string) => void;
}

/** Start of a new chat: the agent, its greeting and suggested first messages. */
export const GreetingPanel = ({ agent, onStart }: GreetingPanelProps) => (
  <div className={styles.greeting}>
    <Avatar name={agent.name} picture={agent.picture} size={52} />
    <h2 dir="auto">{agent.name}</h2>
    <div className={styles.text} dir="auto">
      {agent.greetingMessage ? (
        <Markdown text={agent.greetingMessage} isComplete />
      ) : (
        agent.description || texts.writeFirstMessage
      )}
    </div>
    <div className={styles.starters}>
      {startersOf(agent.description).map((starter) => (
        <Button key={starter} size="small" dir="auto" onClick={() => onStart(starter)}>
          {starter}
        </Button>
      ))}
    </div>
  </div>
);
