import type { AttackRow } from './attack-row.ts';

const remote = 'test/images/remote.test.ts';
/** Uploads, addresses and other hosts of images. */
export const images: readonly AttackRow[] = [
  {
    id: 'A140',
    attack: 'image upload: decompression bomb, HTML or SVG named .png, SVG behind a PNG signature, a truncated file',
    expected: '400/415 before decoding; nothing is stored',
    suite: [
      'test/images/encoder.test.ts > refuses a decompression bomb by its header',
      'test/images/uploads.test.ts > an upload is refused',
    ],
  },
  {
    id: 'A141',
    attack: 'image upload: place, person and camera in EXIF; a file that is an image and a page at once',
    expected: 'only pixels are served, as image/webp with nosniff and a sandbox',
    suite: [
      'test/images/uploads.test.ts > loses its metadata, such as place, author and camera, and is rotated by its orientation',
      'test/images/uploads.test.ts > serves nothing of a page hidden in an image',
      'test/images/serving.test.ts > serves bytes that a browser treats only as a picture',
    ],
  },
  {
    id: 'A142',
    attack: 'image addresses: ids, guesses, other sizes, paths out of the folder, after deletion',
    expected: '404',
    suite: [
      'test/images/serving.test.ts > is not found by its id, a guess, or another size',
      'test/images/generate.test.ts > is deleted with its addresses',
    ],
  },
  {
    id: 'A143',
    attack: 'avatar_url as a way into the network: private and link-local addresses, redirects, unsigned addresses',
    expected: 'no connection; 404',
    suite: ['test/images/remote.test.ts > a picture on another host'],
  },
  {
    id: 'A232',
    attack: 'hosts of external avatars that never answer, named by one account',
    expected: 'only the avatars of that account wait; the host is left alone',
    suite: [`${remote} > on a host that does not respond holds up no other account`],
  },
  {
    id: 'A233',
    attack: 'external avatars as a free image host: any number, for ever, unchecked',
    expected:
      'served while it is an avatar; copies and fetches per account are limited; flagged and removed ones are not served',
    suite: [
      `${remote} > is shown only while it is an avatar`,
      `${remote} > counts against the account that shows it`,
      `${remote} > is fetched at most 400 times an hour`,
      `${remote} > is not shown when the content check flags it`,
      `${remote} > can be reported and taken down`,
    ],
  },
];
