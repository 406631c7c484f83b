import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useLocation, useNavigate, useParams } from '@tanstack/react-router';
import { Flag } from 'lucide-react';
import { useState } from 'react';
import {
  ContinueShareDocument,
  ConversationsDocument,
  SharedConversationDocument,
} from '../api/generated/operations.ts';
import { keyOf, query } from '../api/query.ts';
import { request } from '../api/request.ts';
import { useSignedIn } from '../api/use-signed-in.ts';
import { Markdown } from '../chat/markdown/markdown.tsx';
import { ReportDialog } from '../moderation/report-dialog.tsx';
import { Button } from '../parts/controls/button.tsx';
import { ButtonLink } from '../parts/controls/button-link.tsx';
import { fillIn } from '../parts/values/fill-in.tsx';
import { Page } from '../parts/page/page.tsx';
import { TimeAgo } from '../parts/values/time-ago.tsx';
import { notifyFailure } from '../parts/layers/toast-store.ts';
import { texts } from './texts.ts';
import styles from './social.module.css';

/** A shared agent or conversation, visible to everyone who has the link. */
export function SharedPage() {
  const { token } = useParams({ from: '/frame/share/$token' });
  const { sharedConversation: shared } = useSuspenseQuery(query(SharedConversationDocument, { token })).data;
  const [isReporting, setReporting] = useState(false);
  const { agentId, agentName, sharedBy, note, messages } = shared;
  const isAgent = shared.type === 'AGENT';
  const title = shared.title ?? (isAgent ? agentName : texts.defaultTitle);
  return (
    <Page
      title={title}
      lead={title !== agentName && <bdi>{agentName}</bdi>}
      action={
        isAgent
          ? agentId && (
              <ButtonLink to="/chat" search={{ agent: agentId }} variant="primary">
                {texts.startChat}
              </ButtonLink>
            )
          : agentId && <Continue token={token} />
      }
    >
      <div className={styles.facts}>
        {sharedBy && (
          <span>
            {fillIn(texts.sharedBy, {
              name: (
                <Link to="/users/$username" params={{ username: sharedBy.username }}>
                  <bdi>{sharedBy.displayName ?? sharedBy.username}</bdi>
                </Link>
              ),
            })}
          </span>
        )}
        <span className={styles.hint}>{fillIn(texts.sharedWhen, { time: <TimeAgo date={shared.createdAt} /> })}</span>
        <Button size="small" variant="quiet" onClick={() => setReporting(true)}>
          <Flag size={16} />
          {texts.report}
        </Button>
      </div>
      {note && (
        <p dir="auto" className={styles.text}>
          {note}
        </p>
      )}
      {isAgent && shared.agent?.description && <p dir="auto">{shared.agent.description}</p>}
      <div className={styles.thread}>
        {messages.map(({ role, content }, index) =>
          role === 'USER' ? (
            <article key={index} className={styles.asked} dir="auto" aria-label={texts.you}>
              {content}
            </article>
          ) : (
            <article key={index} className={styles.reply} aria-label={agentName}>
              <strong aria-hidden="true">
                <bdi>{agentName}</bdi>
              </strong>
              <Markdown text={content} isComplete />
            </article>
          ),
        )}
      </div>
      <ReportDialog
        isOpen={isReporting}
        subject={{ type: 'SHARE', id: shared.id }}
        onClose={() => setReporting(false)}
      />
    </Page>
  );
}

/** Starts a conversation of the reader's own with a copy of the shared messages. */
function Continue({ token }: { token: string }) {
  const isSignedIn = useSignedIn();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const { href } = useLocation();
  const { mutate, isPending } = useMutation({
    mutationFn: () => request(ContinueShareDocument, { token }),
    onSuccess: async ({ continueShare: { id } }) => {
      void cache.invalidateQueries({ queryKey: keyOf(ConversationsDocument) });
      await navigate({ to: '/chat/$conversationId', params: { conversationId: id } });
    },
    onError: (error) => notifyFailure(texts.notChanged, error),
  });
  return isSignedIn ? (
    <Button variant="primary" isBusy={isPending} onClick={() => mutate()}>
      {texts.continueConversation}
    </Button>
  ) : (
    <ButtonLink to="/sign-in" search={{ next: href }} variant="primary">
      {texts.signInToContinue}
    </ButtonLink>
  );
}
