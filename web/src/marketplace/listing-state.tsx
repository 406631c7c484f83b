import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { PublishDialog } from '../agents/publish-dialog.tsx';
import {
  AgentDocument,
  AgentListingDocument,
  AgentsDocument,
  ChatAgentDocument,
  ListingDocument,
  type ListingStatus,
  MyChatAgentsDocument,
  PublishAgentDocument,
} from '../api/generated/operations.ts';
import { keyOf } from '../api/query.ts';
import { request } from '../api/request.ts';
import { DecisionsLink } from '../agents/decisions-link.tsx';
import { Button } from '../parts/controls/button.tsx';
import { CodeBox } from '../parts/values/code-box.tsx';
import { Status, type StatusTone } from '../parts/figures/status.tsx';
import { type OwnListing, slugOf } from './listing-values.ts';
import { texts } from './texts.ts';
import styles from './marketplace.module.css';

const states: Readonly<Record<ListingStatus, { tone: StatusTone; word: string; meaning: string }>> = {
  LISTED: { tone: 'good', word: texts.listed, meaning: texts.listedMeans },
  IN_REVIEW: { tone: 'warn', word: texts.inReview, meaning: texts.inReviewMeans },
  HELD: { tone: 'warn', word: texts.held, meaning: texts.heldMeans },
  REMOVED: { tone: 'bad', word: texts.removed, meaning: texts.removedMeans },
  UNLISTED: { tone: 'muted', word: texts.unlisted, meaning: texts.unlistedMeans },
};

/** Returns the public URL of a listing, on the host of this page. */
export const addressOf = (slug: string): string => `${location.origin}/marketplace/${slug}`;

/** Whether the agent is listed, what prevents it, and the actions that publish and hide it. */
export function ListingState({ listing }: { listing: OwnListing }) {
  const cache = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const { agentId, name, description, picture, views, likeCount, reviewCount } = listing;
  const status = listing.status ?? 'UNLISTED';
  const { tone, word, meaning } = states[status];
  const isPublic = status !== 'UNLISTED';
  const slug = slugOf(listing);
  return (
    <section className={styles.panel} aria-label={texts.state}>
      <div className={styles.headline}>
        <Status tone={tone}>{word}</Status>
        <Button variant={isPublic ? 'secondary' : 'primary'} onClick={() => setAsking(true)}>
          {isPublic ? texts.makePrivate : texts.publish}
        </Button>
      </div>
      <p>
        {meaning} {(status === 'HELD' || status === 'REMOVED') && <DecisionsLink />}
      </p>
      {(status === 'LISTED' || status === 'HELD') && slug !== '' && (
        <>
          <CodeBox label={texts.address} text={addressOf(slug)} />
          <div className={styles.facts}>
            <Link to="/marketplace/$slugOrId" params={{ slugOrId: slug }}>
              {texts.asOthersSee}
            </Link>
            <span>{texts.views(views ?? 0)}</span>
            <span>{texts.likes(likeCount)}</span>
            <span>{texts.reviewsOf(reviewCount)}</span>
          </div>
        </>
      )}
      <PublishDialog
        isOpen={isAsking}
        agent={{ name, description: description ?? null, picture }}
        isPublic={isPublic}
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          await request(PublishAgentDocument, { id: agentId, isPublic: !isPublic });
          const changed = [AgentListingDocument, ListingDocument, AgentDocument, AgentsDocument, ChatAgentDocument];
          for (const document of [...changed, MyChatAgentsDocument])
            await cache.invalidateQueries({ queryKey: keyOf(document) });
        }}
      />
    </section>
  );
}
