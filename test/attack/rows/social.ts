import type { AttackRow } from './attack-row.ts';

const relations = 'test/social/relations.test.ts';
const shares = 'test/social/shares.test.ts';
const storage = 'test/billing/storage.test.ts';

/** Follows, likes, links and the feed: what can be forced, guessed or seen by the wrong person. */
export const socialRows: readonly AttackRow[] = [
  {
    id: 'A180',
    attack: 'follow spam',
    expected: '409 above 2,000, 429 above 400 new ones a day; 429 and a case above 1,000 attempts an hour',
    suite: [
      `${relations} > is refused above 2,000 with 409`,
      `${relations} > is refused beyond the hourly attempts, which open a moderation case`,
    ],
  },
  {
    id: 'A181',
    attack: 'like rings: one account that adds and removes a like in parallel; who likes in any response',
    expected: 'one like a person; no names',
    suite: [`${relations} > is counted once a person`, `${relations} > is in the private list of its person`],
  },
  {
    id: 'A182',
    attack: 'a share of conversations and messages of other accounts, by ID',
    expected: '404 or 400; nothing of them is shown',
    suite: [`${shares} > is refused for messages and conversations of others`],
  },
  {
    id: 'A183',
    attack: 'guessing the token of a share; tokens in a copy of the database',
    expected: '404; only hashes are stored',
    suite: [`${shares} > stores its token as a hash`],
  },
  {
    id: 'A184',
    attack: 'stored XSS: markup in the title and note of a share, in names and in what a listing says',
    expected: 'text, in JSON and in the page of the link, for every reader',
    suite: ['test/http/public-pages.test.ts > shows what people wrote as text'],
  },
  {
    id: 'A185',
    attack: 'feed and profile as an oracle: does a hidden or blocking user exist?',
    expected: '404, the response for an unknown name',
    suite: [
      `${relations} > that is hidden does not exist for others, in any way`,
      `${relations} > makes both disappear for each other`,
    ],
  },
  {
    id: 'A186',
    attack: 'a revoked share from a cache or another instance; a document that its snapshot leaks',
    expected: '404 at once, on every instance; no documents',
    suite: [`${shares} > that is revoked is gone at once`, `${shares} > leaves out which documents a reply used`],
  },
  {
    id: 'A230',
    attack: 'storing for free: shares of a million characters, copies of them, messages in rooms, images, documents',
    expected: '403 `plan_limit_exceeded` above the stored megabytes of the plan; nothing is deleted',
    suite: [
      `${storage} > keeps and uses what it has, and is refused more with 403`,
      `${storage} > follow every kind of content`,
      `${storage} > include messages in rooms of others`,
    ],
  },
  {
    id: 'A231',
    attack: 'busy databases: continuing a large share over and over, also in ways that fail',
    expected: 'attempts count before the work; one copy at a time, in batches',
    suite: [
      `${shares} > copies a large share in batches, accepts messages afterwards`,
      `${shares} > counts an attempt that fails`,
    ],
  },
];
