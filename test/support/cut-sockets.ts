import type { Page, WebSocketRoute } from 'playwright-core';

/** Returns functions that close a page's sockets and streams and refuse new ones, and that allow them again. */
export async function cuttableSockets(page: Page, path: '/graphql' | '/v1/socket') {
  let isCut = false;
  const open = new Set<WebSocketRoute>();
  await page.routeWebSocket(`**${path}`, (socket) => {
    if (isCut) return void socket.close();
    socket.connectToServer();
    open.add(socket);
  });
  await page.route('**/graphql/stream', (route) => (isCut ? route.abort('connectionreset') : route.fallback()));
  return {
    cut: async (): Promise<void> => {
      isCut = true;
      for (const socket of open) await socket.close();
      open.clear();
    },
    heal: (): void => void (isCut = false),
  };
}
