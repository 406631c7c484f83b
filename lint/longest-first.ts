import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest test files, as measured. Vitest alone starts with the largest files, and some of these would run last. */
const longest = [
  'web/frame/screens',
  'docs/commands',
  'contract/authorisation',
  'web/voice/talk',
  'core/embedded-postgres',
  'web/community/moderation',
  'web/frame/faults',
  'scale/scale',
  'web/community/social',
  'web/agents/documents',
  'web/agents/agents',
  'web/frame/keyboard',
  'web/community/marketplace',
  'web/community/room-thread',
  'web/account/webhooks',
  'web/account/owner',
  'voice/speech',
  'client/generators',
  'voice/transcription',
  'web/account/account',
  'core/replica',
  'web/chat/chat',
  'web/agents/knowledge',
  'web/chat/chat-network',
  'images/generate',
  'core/start',
  'schema/revoked-stream',
  'web/account/getting-in',
  'web/frame/walks',
  'web/chat/conversation',
  'knowledge/refusals',
  'deploy/service',
  'rooms/events',
  'accounts/key-rotation',
  'web/studio/pictures',
  'web/studio/studio',
  'moderation/moderation',
  'http/docs',
  'web/chat/reply-actions',
  'rooms/agents',
  'images/encoder',
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
