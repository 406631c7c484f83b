import type { AttackRow } from './attack-row.ts';

const visitors = 'test/embeds/visitors.test.ts';
const browser = 'test/web/community/embed.test.ts';

/** Embeds: the visitor's own kind of credential, a page that may be framed, and the owner's costs. */
export const embeds: readonly AttackRow[] = [
  {
    id: 'A150',
    attack: 'forged origin: a parent that is not listed, look-alike hosts, ports, schemes, `null`',
    expected: '400 `origin_not_allowed`; a response that no other origin can read',
    decided: 'A script can claim a listed origin; limits, challenge and identity are against scripts.',
    suite: [
      'test/embeds/embeds.test.ts > is served to pages of its websites only',
      `${visitors} > the routes of visitors allow no other origin and list their methods`,
    ],
  },
  {
    id: 'A151',
    attack:
      'the chat, or any other page, framed by a website that is not listed; the policy of another embed from a cache',
    expected: 'the browser refuses; every other page has X-Frame-Options; no-store',
    suite: [
      `${browser} > is refused by the browser on a website that is not listed`,
      'test/embeds/pages.test.ts > can be framed by its websites and no other',
    ],
  },
  {
    id: 'A152',
    attack: 'token confusion: a visitor’s token on every operation, every other credential on the visitors’ routes',
    expected: '401',
    suite: [`${visitors} > is accepted nowhere else`],
  },
  {
    id: 'A153',
    attack: 'visitor ids rotated, 100 parallel messages at the cap of the day',
    expected: 'exactly the limits; the owner’s own messages are accepted',
    suite: [
      `${visitors} > admit exactly the daily cap under parallel sends, and leave the owner the rest`,
      `${visitors} > count an address whatever visitor it claims to be`,
    ],
  },
  {
    id: 'A154',
    attack:
      'identity token: of another embed, alg none, other algorithm, empty signature, ten years, no exp, no sub, expired',
    expected: '401',
    suite: [`${visitors} > is 401 where it is required and missing`],
  },
  {
    id: 'A155',
    attack: 'XSS in a reply, in the name of an agent, in the title: tags, `javascript:`, remote images, frames, styles',
    expected: 'nothing runs, nothing loads',
    suite: [
      `${browser} > runs and loads nothing that a reply or a name contains`,
      'test/embeds/pages.test.ts > escapes the title',
    ],
  },
  {
    id: 'A156',
    attack: 'postMessage from another window than the page around the frame, or than the frame',
    expected: 'ignored',
    suite: [`${browser} > accepts messages of its page only`],
  },
  {
    id: 'A157',
    attack: 'injection into the frame’s policy through an allowed origin: `;`, quotes, spaces, paths, bare wildcards',
    expected: '400',
    suite: ['test/embeds/embeds.test.ts > as a website'],
  },
  {
    id: 'A223',
    attack: 'a visitor who stops each reply before its first word, so that it is not counted',
    expected: 'counted once the model was called; failed replies are given back five times a day',
    suite: ['test/embeds/visitors.test.ts > the cap of a day'],
  },
  {
    id: 'A224',
    attack: 'the idempotency keys of other visitors and of the owner; a token after signing out of the website',
    expected: 'one namespace per visitor; the token ends with the session',
    suite: [
      'test/embeds/visitors.test.ts > belongs to one visitor',
      'test/embeds/visitors.test.ts > ends the session of the customer',
    ],
  },
];
