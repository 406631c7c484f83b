import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { SubscriptionDocument } from '../api/generated/operations.ts';
import { query } from '../api/query.ts';
import { Status } from '../parts/figures/status.tsx';
import { planName } from './plan-names.ts';
import { texts } from './texts.ts';
import styles from './billing.module.css';

const waitMs = 30_000;
const everyMs = 1_000;

/** Shown on return from the payment page: waits up to 30 s for the paid plan to become active. */
export function CheckoutReturn() {
  const { checkout } = useSearch({ from: '/frame/settings/billing' });
  // The thanks stay when the URL no longer asks for them.
  const [isReturn] = useState(checkout === 'done');
  return isReturn ? <Waiting /> : null;
}

function Waiting() {
  const navigate = useNavigate({ from: '/settings/billing' });
  const [isOver, setOver] = useState(false);
  const { data } = useQuery({
    ...query(SubscriptionDocument, {}),
    refetchInterval: ({ state }) => (isOver || state.data?.subscription.plan !== 'FREE' ? false : everyMs),
  });
  const plan = data?.subscription.plan;
  const isPaid = plan !== undefined && plan !== 'FREE';
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), waitMs);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    // Without this a reload would show the thanks again.
    if (isPaid) void navigate({ search: {}, replace: true });
  }, [isPaid, navigate]);
  return (
    <div className={styles.returned} role="status">
      {isPaid ? (
        <Status tone="good">{texts.thankYouYouAre(planName(plan))}</Status>
      ) : (
        <Status tone="info">{isOver ? texts.paymentNotConfirmedYet : texts.paymentBeingConfirmed}</Status>
      )}
    </div>
  );
}
