import { expect, test } from 'vitest';
import { localScreens, moderatorScreens, screens } from '../../../web/src/frame/palette/palette-screens.ts';
import { consoleRoutes } from '../../support/console-routes.ts';

/** Screens that the palette does not offer, with the reason. */
const excluded: Readonly<Record<string, string>> = {
  '/': 'a signed-in person is sent to the chat',
  '/sign-in': 'for visitors',
  '/sign-up': 'for visitors',
  '/forgot-password': 'for visitors',
  '/reset-password': 'needs the token of a mail',
  '/verify-email': 'needs the token of a mail',
  '/restore-account': 'needs a deleted account',
  '/account-deleted': 'confirms a deletion',
  '/rooms/join': 'needs the token of a link',
};

test('the palette offers every screen that needs no parameter', () => {
  const routes = consoleRoutes().filter((path) => !path.includes('$'));
  const offered = [...screens, ...moderatorScreens, ...localScreens].map(({ to }) => to);
  expect([...offered, ...Object.keys(excluded)].toSorted()).toEqual(routes.toSorted());
});
