import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest test files, as measured. Vitest alone starts with the largest files, and some of these would run last. */
const longest = [
  'web/screens',
  'docs/commands',
  'contract/authorisation',
  'web/talk',
  'core/embedded-postgres',
  'web/moderation',
  'web/faults',
  'scale/scale',
  'faults/billing',
  'web/social',
  'web/agents',
  'faults/platforms-connections',
  'web/keyboard',
  'web/marketplace',
  'web/room-thread',
  'web/webhooks',
  'web/owner',
  'voice/speech',
  'client/generators',
  'voice/transcription',
  'web/account',
  'core/replica',
  'web/chat',
  'images/generate',
  'core/start',
  'web/typing',
  'schema/revoked-stream',
  'web/getting-in',
  'web/walks',
  'web/conversation',
  'knowledge/refusals',
  'deploy/service',
  'rooms/events',
  'accounts/key-rotation',
  'faults/knowledge-stores',
  'web/pictures',
  'web/studio',
  'moderation/moderation',
  'http/docs',
  'web/reply-actions',
  'rooms/agents',
  'images/encoder',
  'web/documents',
  'conversations/generation-ends',
  'client/client',
  'jobs/agenda-mongo',
  'images/uploads',
].map((name) => `test/${name}.test.ts`);

const positionOf = ({ moduleId }: TestSpecification): number => {
  const index = longest.findIndex((path) => moduleId.endsWith(path));
  return index < 0 ? longest.length : index;
};

/** Vitest's order, but with the slowest files first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => positionOf(a) - positionOf(b));
  }
}
