import { Link, useSearch } from '@tanstack/react-router';
import { CardPage } from './card-page.tsx';
import { texts } from './texts.ts';

/** Shown after an account was deleted: when the deletion becomes final, and how to undo it until then. */
export function AccountDeletedPage() {
  const { until } = useSearch({ from: '/account-deleted' });
  const date = new Date(until ?? '');
  const day = Number.isNaN(date.getTime())
    ? texts.endGracePeriod
    : date.toLocaleDateString(undefined, { dateStyle: 'long' });
  return (
    <CardPage
      title={texts.accountDeleted}
      lead={texts.everythingRemovedGoodUntil(day)}
      footer={<Link to="/">{texts.frontPage}</Link>}
    >
      <p>
        <Link to="/restore-account">{texts.restoreAccount}</Link>
      </p>
    </CardPage>
  );
}
