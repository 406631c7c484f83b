import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MeDocument, type MeQuery } from '../../api/generated/operations.ts';
import { query } from '../../api/query.ts';
import { fillIn } from '../../parts/values/fill-in.tsx';
import { texts } from '../texts.ts';
import styles from './banners.module.css';

const notices: Partial<Record<MeQuery['subscription']['status'], string>> = {
  PAST_DUE: texts.paymentFailedPlanStays,
  UNPAID: texts.paymentFailedGood,
  INCOMPLETE: texts.firstPaymentMissing,
};

function noticeOf({ me, subscription }: MeQuery): string | undefined {
  const isOverdue = subscription.status === 'PAST_DUE' && me.plan === 'FREE';
  return isOverdue ? texts.paymentOverdueFreeLimits : notices[subscription.status];
}

/** Shown on every page while a payment is overdue or missing. */
export function PastDueBanner() {
  const { data } = useQuery(query(MeDocument, {}));
  const notice = data && noticeOf(data);
  if (!notice) return null;
  return (
    <p className={styles.banner} data-kind="bad" role="alert">
      <span>
        {fillIn(notice, {
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
