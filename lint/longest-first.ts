import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take long for their size. Vitest begins with the large files; these would run last, beside an idle processor. */
const longest = [
  'core/start',
  'docs/commands',
  'simulators/espeak',
  'http/docs',
  'web/accessibility',
  'knowledge/two-instances',
  'web/pictures',
  'web/faults',
  'knowledge/check-documents',
  'contract/made-up-feature',
  'faults/platforms-connections',
  'faults/billing',
  'images/serving',
  'images/encoder',
  'faults/images-kill',
  'schema/revoked-stream',
  'webhooks/clock-skew',
  'seed/seed',
  'scale/scale',
  'conversations/deletion',
  'web/layout',
  'web/live',
  'web/studio',
  'web/budgets',
  'web/long-conversation',
  'client/socket',
  'accounts/purge',
  'webhooks/disabling',
  'billing/year',
].map((name) => `test/${name}.test.ts`);

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = longest.findIndex((path) => moduleId.endsWith(path));
  return place < 0 ? longest.length : place;
};

/** The order of vitest, with the longest files at its beginning. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}
