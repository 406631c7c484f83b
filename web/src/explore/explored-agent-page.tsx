import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ExploredAgentDocument } from '../api/generated/operations.ts';
import { query } from '../api/query.ts';
import { Markdown } from '../chat/markdown/markdown.tsx';
import { ApiNote } from '../parts/page/api-note.tsx';
import { Avatar } from '../parts/avatar.tsx';
import { ButtonLink } from '../parts/controls/button-link.tsx';
import { fillIn } from '../parts/values/fill-in.tsx';
import { Page } from '../parts/page/page.tsx';
import { TimeAgo } from '../parts/values/time-ago.tsx';
import { ShareAgent } from '../social/share-agent.tsx';
import { Author } from './author.tsx';
import { texts } from './texts.ts';
import styles from './explore.module.css';

export function ExploredAgentPage() {
  const { agentId } = useParams({ from: '/frame/explore/$agentId' });
  const { agent } = useSuspenseQuery(query(ExploredAgentDocument, { id: agentId })).data;
  return (
    <Page
      title={agent.name}
      lead={
        <>
          {fillIn(texts.facts, {
            author: <Author creator={agent.creator} isMine={agent.isMine} />,
            messages: texts.messages(agent.messageCount),
            time: <TimeAgo date={agent.createdAt} />,
          })}
        </>
      }
      action={
        <>
          {agent.isPublic && <ShareAgent agentId={agentId} />}
          <ButtonLink to="/chat" search={{ agent: agentId }} variant="primary">
            {texts.startChat}
          </ButtonLink>
        </>
      }
    >
      <div className={styles.detail}>
        <Avatar name={agent.name} picture={agent.picture} size={48} />
        <p dir="auto">{agent.description || texts.noDescription}</p>
        {agent.greetingMessage && (
          <blockquote>
            <Markdown text={agent.greetingMessage} isComplete />
          </blockquote>
        )}
      </div>
      <ApiNote tag="agents" path={`/v1/agents/${agentId}`} />
    </Page>
  );
}
