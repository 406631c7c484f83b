import { Link } from '@tanstack/react-router';
import { Star } from 'lucide-react';
import type { ListingCardFragment } from '../api/generated/operations.ts';
import { Avatar } from '../parts/avatar.tsx';
import { fillIn } from '../parts/values/fill-in.tsx';
import { texts } from './texts.ts';
import styles from './marketplace.module.css';

const ratings = new Intl.NumberFormat(undefined, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** The creator of an agent, as a link to the profile unless it is inside another link. */
const Maker = ({ listing: { isMine, creator } }: { listing: ListingCardFragment }) =>
  isMine ? (
    <>{texts.byYou}</>
  ) : (
    <>{fillIn(texts.by, { value: <bdi title={creator.username}>{creator.displayName ?? creator.username}</bdi> })}</>
  );

/** The mean rating, with a text for screen readers. */
export const Rating = ({ value }: { value: number }) => (
  <span className={styles.rating}>
    <Star size={14} aria-hidden="true" />
    <span className="visually-hidden">{texts.rating} </span>
    {texts.ratingOf(ratings.format(value))}
  </span>
);

const ListingCard = ({ listing }: { listing: ListingCardFragment }) => (
  <article className={styles.card}>
    <header>
      <Avatar name={listing.name} picture={listing.picture} size={32} />
      <Link to="/marketplace/$slugOrId" params={{ slugOrId: listing.slug }} data-row dir="auto">
        {listing.name}
      </Link>
    </header>
    <p dir="auto">{listing.description || texts.noDescription}</p>
    <footer>
      <span>
        <Maker listing={listing} />
      </span>
      <span>
        {typeof listing.people === 'number' ? texts.people(listing.people) : texts.messages(listing.messageCount)}
      </span>
      {typeof listing.rating === 'number' && <Rating value={listing.rating} />}
    </footer>
  </article>
);

export const ListingGrid = ({ listings }: { listings: readonly ListingCardFragment[] }) => (
  <ul className={styles.grid}>
    {listings.map((listing) => (
      <li key={listing.agentId}>
        <ListingCard listing={listing} />
      </li>
    ))}
  </ul>
);
