import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ListingDocument } from '../api/generated/operations.ts';
import { query } from '../api/query.ts';
import { useSignedIn } from '../api/use-signed-in.ts';
import { askInChat } from '../chat/replies/asked.ts';
import { Markdown } from '../chat/markdown/markdown.tsx';
import { ApiNote } from '../parts/page/api-note.tsx';
import { Avatar } from '../parts/avatar.tsx';
import { Button } from '../parts/controls/button.tsx';
import { ButtonLink } from '../parts/controls/button-link.tsx';
import { fillIn } from '../parts/values/fill-in.tsx';
import { ownPath } from '../parts/own-path.ts';
import { Page } from '../parts/page/page.tsx';
import { TimeAgo } from '../parts/values/time-ago.tsx';
import { ListingActions } from './listing-actions.tsx';
import { languageName } from './language-name.ts';
import { Rating } from './listing-card.tsx';
import { Reviews } from './reviews.tsx';
import type { ShownListing } from './shown-listing.ts';
import { texts } from './texts.ts';
import styles from './marketplace.module.css';

/** A listing of the marketplace: description, suggested first messages and reviews. */
export function ListingPage() {
  const { slugOrId } = useParams({ from: '/frame/marketplace/$slugOrId' });
  const { listing } = useSuspenseQuery(query(ListingDocument, { id: slugOrId })).data;
  const navigate = useNavigate();
  const isSignedIn = useSignedIn();
  useEffect(() => {
    // A former slug, or the agent's ID, redirects to the canonical address.
    if (slugOrId !== listing.slug)
      void navigate({ to: '/marketplace/$slugOrId', params: { slugOrId: listing.slug }, replace: true });
  }, [slugOrId, listing.slug, navigate]);
  return (
    <Page
      title={listing.name}
      lead={<span dir="auto">{listing.description || texts.noDescription}</span>}
      action={
        <ButtonLink to="/chat" search={{ agent: listing.agentId }} variant="primary">
          {texts.startChat}
        </ButtonLink>
      }
    >
      {listing.bannerUrl && <img className={styles.banner} src={ownPath(listing.bannerUrl)} alt="" />}
      <Facts listing={listing} />
      <ListingActions listing={listing} isSignedIn={isSignedIn} />
      <About listing={listing} />
      <Reviews listing={listing} isSignedIn={isSignedIn} />
      <ApiNote tag="marketplace" path={`/v1/marketplace/agents/${listing.agentId}`} />
    </Page>
  );
}

const Facts = ({ listing }: { listing: ShownListing }) => (
  <div className={styles.facts}>
    <Avatar name={listing.name} picture={listing.picture} size={48} />
    <span>{listing.isMine ? texts.byYou : fillIn(texts.by, { value: <Creator creator={listing.creator} /> })}</span>
    <span>{fillIn(texts.published, { time: <TimeAgo date={listing.publishedAt} /> })}</span>
    {typeof listing.people === 'number' && <span>{texts.people(listing.people)}</span>}
    <span>{texts.messages(listing.messageCount)}</span>
    <span>{texts.likes(listing.likeCount)}</span>
    {typeof listing.rating === 'number' && <Rating value={listing.rating} />}
    {listing.contentRating === 'MATURE' && <span>{texts.forAdults}</span>}
    {listing.language && <span>{languageName(listing.language)}</span>}
    {listing.copiedFrom && <span>{texts.isCopy}</span>}
    {listing.tags.map((tag) => (
      <Link key={tag} to="/marketplace" search={{ tag }}>
        {texts.tagNamed(tag)}
      </Link>
    ))}
  </div>
);

const Creator = ({ creator }: { creator: ShownListing['creator'] }) => (
  <Link to="/users/$username" params={{ username: creator.username }}>
    <bdi>{creator.displayName ?? creator.username}</bdi>
  </Link>
);

function About({
  listing: { agentId, about, starters, greetingMessage, instructions, isMine },
}: {
  listing: ShownListing;
}) {
  const navigate = useNavigate();
  if (!about && !greetingMessage && starters.length === 0 && (isMine || !instructions)) return null;
  return (
    <section className={styles.panel} aria-label={texts.about}>
      {about && <Markdown key={about} text={about} isComplete />}
      {!about && greetingMessage && <Markdown key={greetingMessage} text={greetingMessage} isComplete />}
      {starters.length > 0 && (
        <div className={styles.actions} role="group" aria-label={texts.startWith}>
          {starters.map((starter) => (
            <Button
              key={starter}
              size="small"
              dir="auto"
              onClick={() => {
                askInChat(agentId, starter);
                void navigate({ to: '/chat', search: { agent: agentId } });
              }}
            >
              {starter}
            </Button>
          ))}
        </div>
      )}
      {!isMine && instructions && (
        <details>
          <summary>{texts.instructions}</summary>
          <pre className={styles.instructions} dir="auto" tabIndex={0} aria-label={texts.instructions}>
            {instructions}
          </pre>
        </details>
      )}
    </section>
  );
}
