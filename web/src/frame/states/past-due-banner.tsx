import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MeDocument } from '../../api/generated/operations.ts';
import { query } from '../../api/query.ts';
import { fillIn } from '../../parts/values/fill-in.tsx';
import { texts } from '../texts.ts';
import styles from './banners.module.css';

/** Shown on every page while a payment is overdue. */
export function PastDueBanner() {
  const { data } = useQuery(query(MeDocument, {}));
  if (data?.subscription.status !== 'PAST_DUE') return null;
  return (
    <p className={styles.banner} data-kind="bad" role="alert">
      <span>
        {fillIn(data.me.plan === 'FREE' ? texts.paymentOverdueFreeLimits : texts.paymentFailedPlanStays, {
          link: (
            <Link to="/settings/billing" search={{}}>
              {texts.repairPayment}
            </Link>
          ),
        })}
      </span>
    </p>
  );
}
