import { createRootRoute } from '@tanstack/react-router';
import { ErrorPage, NotFoundPage } from './frame/error-page.tsx';
import { Root } from './frame/root.tsx';

/** The route above all others. */
export const root = createRootRoute({
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
