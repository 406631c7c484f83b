import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type BillingInterval,
  CreateCheckoutDocument,
  type PaidPlan,
  PlansDocument,
  type PlansQuery,
  type SubscriptionQuery,
} from '../api/generated/operations.ts';
import { query } from '../api/query.ts';
import { request } from '../api/request.ts';
import { Button } from '../parts/controls/button.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { money } from '../parts/values/money.ts';
import { Skeleton } from '../parts/lists/skeleton.tsx';
import { ChangeDialog } from './change-dialog.tsx';
import { planName } from './plan-names.ts';
import { texts } from './texts.ts';
import styles from './billing.module.css';

type OfferedPlan = PlansQuery['plans']['data'][number];
type Subscription = SubscriptionQuery['subscription'];

/** The plans side by side. The first purchase goes to the payment page; a change shows a preview. */
export function Plans({ subscription }: { subscription: Subscription }) {
  const { data, error, refetch } = useQuery({ ...query(PlansDocument, {}), staleTime: 600_000 });
  const [chosen, setChosen] = useState<BillingInterval>();
  const [target, setTarget] = useState<PaidPlan | null>(null);
  // Another checkout replaces one whose first payment is missing.
  const isPaid = subscription.plan !== 'FREE' && subscription.status !== 'INCOMPLETE';
  const interval = chosen ?? subscription.interval;
  const checkout = useMutation({
    mutationFn: (plan: PaidPlan) => {
      const here = `${location.origin}/settings/billing`;
      const input = { plan, interval, successUrl: `${here}?checkout=done`, cancelUrl: here };
      return request(CreateCheckoutDocument, { input });
    },
    onSuccess: ({ createCheckout }) => location.assign(createCheckout.checkoutUrl),
  });
  const choose = (plan: PaidPlan): void => (isPaid ? setTarget(plan) : checkout.mutate(plan));
  return (
    <section className={styles.section} aria-labelledby="plans">
      <header className={styles.head}>
        <h2 id="plans">{texts.plans}</h2>
        <div className={styles.intervals} role="group" aria-label={texts.billingInterval}>
          <Button size="small" aria-pressed={interval === 'MONTH'} onClick={() => setChosen('MONTH')}>
            {texts.byTheMonth}
          </Button>
          <Button size="small" aria-pressed={interval === 'YEAR'} onClick={() => setChosen('YEAR')}>
            {texts.byTheYear}
          </Button>
        </div>
      </header>
      {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {checkout.error && <ErrorNote error={checkout.error} />}
      {!data && !error && <Skeleton lines={['100%']} height={220} />}
      <ul className={styles.plans}>
        {data?.plans.data.map((offered) => (
          <PlanCard
            key={offered.plan}
            offered={offered}
            interval={interval}
            current={subscription}
            isBusy={checkout.isPending && checkout.variables === offered.plan}
            onChoose={choose}
          />
        ))}
      </ul>
      <ChangeDialog plan={target} interval={interval} onClose={() => setTarget(null)} />
    </section>
  );
}

interface PlanCardProps {
  offered: OfferedPlan;
  interval: BillingInterval;
  current: Subscription;
  isBusy: boolean;
  onChoose: (plan: PaidPlan) => void;
}

function PlanCard({ offered, interval, current, isBusy, onChoose }: PlanCardProps) {
  const { plan, prices, features } = offered;
  const price = prices.find((candidate) => candidate.interval === interval);
  const isSamePlan = plan === current.plan;
  const isCurrent = isSamePlan && (plan === 'FREE' || interval === current.interval);
  const payBy = interval === 'YEAR' ? texts.payByTheYear : texts.payByTheMonth;
  const withoutPrice = plan === 'FREE' ? texts.free : '–';
  return (
    <li className={styles.offer} data-current={isCurrent || undefined}>
      <h3>{planName(plan)}</h3>
      <p className={styles.price}>
        {price ? money(price.amount, price.currency) : withoutPrice}
        {price && <span>{interval === 'YEAR' ? texts.perYear : texts.perMonth}</span>}
      </p>
      <ul>
        {features.map((feature) => (
          <li key={feature}>{feature}</li>
        ))}
      </ul>
      {isCurrent && <p className={styles.currentMark}>{texts.yourPlan}</p>}
      {!isCurrent && plan !== 'FREE' && (
        <Button
          variant={current.plan === 'FREE' ? 'primary' : 'secondary'}
          isBusy={isBusy}
          onClick={() => onChoose(plan)}
        >
          {isSamePlan ? payBy : texts.choose(planName(plan))}
        </Button>
      )}
    </li>
  );
}
