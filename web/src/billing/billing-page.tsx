import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  CancelSubscriptionDocument,
  CreatePortalSessionDocument,
  PaymentMethodDocument,
  ResumeSubscriptionDocument,
  SubscriptionDocument,
  type SubscriptionQuery,
  UsageDocument,
  type UsageQuery,
} from '../api/generated/operations.ts';
import { keyOf, query } from '../api/query.ts';
import { request } from '../api/request.ts';
import { ApiNote } from '../parts/page/api-note.tsx';
import { Button } from '../parts/controls/button.tsx';
import { common } from '../parts/common-texts.ts';
import { ConfirmDialog } from '../parts/layers/confirm-dialog.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { fillIn } from '../parts/values/fill-in.tsx';
import { Meter } from '../parts/figures/meter.tsx';
import { day } from '../parts/values/money.ts';
import { Page } from '../parts/page/page.tsx';
import { RemovableButton } from '../parts/controls/removable-button.tsx';
import { QueryStates } from '../parts/lists/query-states.tsx';
import { Skeleton } from '../parts/lists/skeleton.tsx';
import { Status, type StatusTone } from '../parts/figures/status.tsx';
import { notify, notifyFailure } from '../parts/layers/toast-store.ts';
import { SettingsTabs } from '../parts/page/settings-tabs.tsx';
import { CheckoutReturn } from './checkout-return.tsx';
import { Invoices } from './invoices.tsx';
import { planName } from './plan-names.ts';
import { isOwed, planOutlook } from './plan-outlook.ts';
import { Plans } from './plans.tsx';
import { texts } from './texts.ts';
import styles from './billing.module.css';

/** Plan, usage, payment method and invoices. */
export function BillingPage() {
  const subscription = useQuery(query(SubscriptionDocument, {}));
  const current = subscription.data?.subscription;
  return (
    <Page title={common.billing} tabs={<SettingsTabs />}>
      <CheckoutReturn />
      {subscription.error && <ErrorNote error={subscription.error} onRetry={() => void subscription.refetch()} />}
      {!current && !subscription.error && <Skeleton lines={['100%', '100%']} height={110} />}
      {current && <CurrentPlan subscription={current} />}
      {current && <Plans subscription={current} />}
      {current?.processorCustomerId && <Invoices />}
      <ApiNote tag="billing" path="/v1/billing/subscription" />
    </Page>
  );
}

type Subscription = SubscriptionQuery['subscription'];

const states: Readonly<Record<Subscription['status'], readonly [string, StatusTone]>> = {
  ACTIVE: [common.active, 'good'],
  PAST_DUE: [texts.paymentFailed, 'bad'],
  CANCELED: [texts.ended, 'muted'],
  UNPAID: [texts.unpaid, 'bad'],
  INCOMPLETE: [texts.firstPaymentMissing, 'warn'],
};

function CurrentPlan({ subscription }: { subscription: Subscription }) {
  const cache = useQueryClient();
  const [isCancelling, setCancelling] = useState(false);
  const { plan, status, currentPeriodStart, currentPeriodEnd, cancelAt, processorCustomerId } = subscription;
  const isChanging = subscription.pendingPlan !== null || subscription.pendingInterval !== null;
  const { data: used } = useQuery(query(UsageDocument, {}));
  const [word, tone] = states[status];
  const isPaid = plan !== 'FREE';
  const refresh = () => cache.invalidateQueries({ queryKey: keyOf(SubscriptionDocument) });
  const resume = useMutation({
    mutationFn: () => request(ResumeSubscriptionDocument, {}),
    onSuccess: refresh,
    onError: (error) => notifyFailure(texts.subscriptionNotResumed, error, () => resume.mutate()),
  });
  const portal = useMutation({
    mutationFn: () => request(CreatePortalSessionDocument, {}),
    onSuccess: ({ createPortalSession }) => location.assign(createPortalSession.portalUrl),
    onError: (error) => notifyFailure(texts.paymentPageNotOpen, error, () => portal.mutate()),
  });
  return (
    <section className={styles.card} aria-label={texts.currentPlan}>
      <div className={styles.plan}>
        <h2>{planName(plan)}</h2>
        <Status tone={tone}>{word}</Status>
      </div>
      {isPaid && (
        <p className={styles.hint}>
          {subscription.interval === 'YEAR' ? texts.billedYearly : texts.billedMonthly}{' '}
          {texts.currentPeriod(texts.fromTo(day(currentPeriodStart), day(currentPeriodEnd)))}
        </p>
      )}
      <p className={styles.hint}>{planOutlook(subscription, used?.usage.plan)}</p>
      {processorCustomerId && <Card />}
      <Meters />
      <div className={styles.actions}>
        {processorCustomerId && (
          <Button
            variant={isOwed(subscription) ? 'primary' : 'secondary'}
            isBusy={portal.isPending}
            onClick={() => portal.mutate()}
          >
            {isOwed(subscription) ? texts.payAnotherCard : texts.paymentMethodAddress}
          </Button>
        )}
        {(cancelAt || isChanging) && (
          <RemovableButton variant="primary" isBusy={resume.isPending} onClick={() => resume.mutate()}>
            {cancelAt ? common.resume : texts.stayOn(planName(plan))}
          </RemovableButton>
        )}
        {isPaid && !cancelAt && (
          <Button variant="quiet" onClick={() => setCancelling(true)}>
            {texts.cancelPlan}
          </Button>
        )}
      </div>
      <ConfirmDialog
        isOpen={isCancelling}
        title={texts.askCancelPlan}
        description={texts.staysUntilLimitsFree(day(currentPeriodEnd))}
        action={texts.cancelPlan}
        dismissal={texts.keepPlan}
        onClose={() => setCancelling(false)}
        onConfirm={async () => {
          const { cancelSubscription } = await request(CancelSubscriptionDocument, {});
          await refresh();
          notify(cancelSubscription.message);
        }}
      />
    </section>
  );
}

function Card() {
  const card = useQuery(query(PaymentMethodDocument, {}));
  const method = card.data?.subscription.paymentMethod;
  return (
    <>
      <QueryStates query={card} lines={['40%']} />
      {method && (
        <p className={styles.hint}>
          {fillIn(texts.paidWith, {
            value: <span className={styles.brand}>{method.brand.replaceAll('_', ' ')}</span>,
            last4: method.last4 && texts.endingIn(method.last4),
            expires:
              method.expires && texts.validUntil(String(method.expires.month).padStart(2, '0'), method.expires.year),
          })}
        </p>
      )}
    </>
  );
}

function Meters() {
  const used = useQuery(query(UsageDocument, {}));
  return (
    <>
      <QueryStates query={used} lines={['100%']} height={36} />
      {used.data && <UsageMeters {...used.data.usage} />}
    </>
  );
}

function UsageMeters({ usage, periodEnd }: UsageQuery['usage']) {
  const reset = new Date(periodEnd).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });
  return (
    <div className={styles.meters}>
      <Meter label={texts.messagesTodayAgain(reset)} value={usage.messagesSent} limit={usage.messagesLimit} />
      <Meter label={texts.agentsOfPlan} value={usage.agentsCreated} limit={usage.agentsLimit} />
      <Meter label={texts.documentsOfPlan} value={usage.knowledgeDocs} limit={usage.knowledgeLimit} />
      <Meter label={texts.storedOfPlan} value={usage.storedMegabytes} limit={usage.storedMegabytesLimit} />
    </div>
  );
}
