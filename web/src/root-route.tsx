import { createRootRouteWithContext } from '@tanstack/react-router';
import { ErrorPage, NotFoundPage } from './frame/states/error-page.tsx';
import { Root } from './frame/root.tsx';
import type { RouterContext } from './frame/session-guard.ts';

/** The route above all others. */
export const root = createRootRouteWithContext<RouterContext>()({
  component: Root,
  errorComponent: (props) => (
    <main>
      <ErrorPage {...props} />
    </main>
  ),
  notFoundComponent: () => (
    <main>
      <NotFoundPage />
    </main>
  ),
});
