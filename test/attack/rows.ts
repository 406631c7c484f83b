import type { AttackRow } from './rows/attack-row.ts';
import { boundaries } from './rows/boundaries.ts';
import { credentials } from './rows/credentials.ts';
import { embeds } from './rows/embeds.ts';
import { images } from './rows/images.ts';
import { marketplaceRows } from './rows/marketplace.ts';
import { operations } from './rows/operations.ts';
import { outward } from './rows/outward.ts';
import { roomRows } from './rows/rooms.ts';
import { socialRows } from './rows/social.ts';

/** Every row, in the order of their numbers. */
export const attackRows: readonly AttackRow[] = [
  ...credentials,
  ...boundaries,
  ...outward,
  ...operations,
  ...images,
  ...embeds,
  ...marketplaceRows,
  ...roomRows,
  ...socialRows,
];

/** Files of the default suite that rows rely on. */
export const suiteFiles: readonly string[] = [
  ...new Set(attackRows.flatMap(({ suite = [] }) => suite.map((one) => one.split(' > ')[0] ?? ''))),
];
