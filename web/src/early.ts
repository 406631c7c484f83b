import { cache } from './api/cache.ts';
import { renewSession, sessionState } from './api/session.ts';
import { loadConversation } from './conversations/loaders.ts';
import { loadTogether } from './conversations/thread/thread-query.ts';
import { loadAccount } from './frame/loaders.ts';
import { loadRoomAndMessages } from './rooms/loaders.ts';

// A signed-in page runs this while its other scripts load, so that their loaders find what they need in the cache. They
// repeat what failed, and report it.

async function requestAhead(): Promise<void> {
  if (!(await renewSession())) return;
  const [, screen, id = ''] = /^\/(chat|rooms)\/([^/]+)$/.exec(location.pathname) ?? [];
  const messageId = new URLSearchParams(location.search).get('m') ?? undefined;
  // First, so that the loaders find its queries running.
  if (screen === 'chat') loadTogether(cache, id, messageId);
  await Promise.all([
    loadAccount(),
    screen === 'chat' && loadConversation(id, messageId, false),
    screen === 'rooms' && loadRoomAndMessages(id, false),
  ]);
}

// The frame imports this module, so that it is part of the build. After a sign-in it runs only then, with nothing to do.
if (sessionState() === 'starting') requestAhead().catch(() => undefined);
