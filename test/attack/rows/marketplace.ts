import type { AttackRow } from './attack-row.ts';

const marketplace = 'test/marketplace/marketplace.test.ts';
const reviews = 'test/marketplace/reviews.test.ts';
const moderation = 'test/moderation';

/** Public listings: who can change them, and what they reveal to whom. */
export const marketplaceRows: readonly AttackRow[] = [
  {
    id: 'A160',
    attack: 'sock puppets: reports, ratings and messages of throw-away accounts',
    expected: 'no hold, no rating before a day, trending behind proven people',
    suite: [
      `${moderation}/reports.test.ts > needs five established accounts within a day`,
      `${reviews} > is null below three reviews, then drawn towards the mean; young accounts count later, removed reviews do not`,
      'test/agents/explore.test.ts > ranks by established users in trending, and by all messages in popular',
    ],
  },
  {
    id: 'A161',
    attack: 'slug squatting: reserved names, IDs, protected names, the old slug of another agent, many changes',
    expected: '400; 409 `conflict`',
    suite: [`${marketplace} > refuses`, `${marketplace} > is found by an old slug, which no other agent can take`],
  },
  {
    id: 'A162',
    attack: 'Markdown: scripts and image beacons in `about`, inline, by reference, in HTML, behind brackets',
    expected: '400 for images of other hosts; anything else is returned as it was written',
    decided: 'Markdown is stored raw; clients show HTML in it as text.',
    suite: [`${marketplace} > refuses`, `${marketplace} > stores the fields that its owner sets, and keeps the others`],
  },
  {
    id: 'A163',
    attack: 'a name of another script that looks like a protected one',
    expected: 'a case with the mark `impersonation`',
    suite: [`${moderation}/content-check.test.ts > an agent waits for approval`, 'test/moderation/names.test.ts'],
  },
  {
    id: 'A164',
    attack: 'copy of an agent that is closed, removed or private, and its instructions in any response',
    expected: '404, the response for an unknown id; no instructions',
    suite: [
      `${marketplace} > can be made of own agents and of those that allow it, and belongs to the copier`,
      `${moderation}/decisions.test.ts > removes an agent from everywhere but its owner`,
    ],
  },
  {
    id: 'A165',
    attack: 'cache poisoning: a response with a credential, valid or not, kept for others',
    expected: '`private, no-store` and `Vary: Authorization`; errors are never cached',
    suite: [`${marketplace} > returns the same to everyone, cacheable only without a credential`],
  },
  {
    id: 'A166',
    attack: 'the routes of moderators with every other credential, with valid and malformed input',
    expected: '401 without a credential, else 404',
    suite: [
      `${moderation}/desk.test.ts > do not exist for anyone else, nor for API keys; every access is recorded`,
      'test/contract/authorisation.test.ts > a malformed id is refused for moderators, too',
    ],
  },
  {
    id: 'A167',
    attack: 'report spam from one account and from one address; reports of what the reporter cannot see',
    expected: '429 after ten, and after five; 404',
    suite: [
      `${moderation}/reports.test.ts > is limited to ten an hour per account, and to five per address without one`,
      `${moderation}/reports.test.ts > of a subject that the reporter cannot see is refused like one of an unknown subject`,
    ],
  },
];
