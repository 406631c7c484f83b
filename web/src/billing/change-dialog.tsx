import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type BillingInterval,
  ChangeSubscriptionDocument,
  type PaidPlan,
  PreviewSubscriptionChangeDocument,
  type PreviewSubscriptionChangeQuery,
  SubscriptionDocument,
  UsageDocument,
} from '../api/generated/operations.ts';
import { keyOf, query } from '../api/query.ts';
import { request } from '../api/request.ts';
import { ConfirmDialog } from '../parts/layers/confirm-dialog.tsx';
import { day, money } from '../parts/values/money.ts';
import { QueryStates } from '../parts/lists/query-states.tsx';
import { notify } from '../parts/layers/toast-store.ts';
import { planName } from './plan-names.ts';
import { texts } from './texts.ts';
import styles from './billing.module.css';

interface ChangeDialogProps {
  plan: PaidPlan | null;
  interval: BillingInterval;
  onClose: () => void;
}

/** Preview of a plan change: what it charges and when it takes effect. */
export function ChangeDialog({ plan, interval, onClose }: ChangeDialogProps) {
  const cache = useQueryClient();
  const previewed = useQuery({
    ...query(PreviewSubscriptionChangeDocument, { plan: plan ?? 'PLUS', interval }),
    enabled: plan !== null,
    gcTime: 0,
    staleTime: 0,
  });
  const preview = previewed.data?.previewSubscriptionChange;
  return (
    <ConfirmDialog
      isOpen={plan !== null}
      title={plan ? texts.changeTo(planName(plan)) : ''}
      description={preview ? wordsOf(preview) : previewed.isFetching && texts.priceBeingWorked}
      action={preview?.effectiveAt ? texts.changeEndPeriod : texts.changePay}
      variant="primary"
      isDisabled={!preview}
      onClose={onClose}
      onConfirm={async () => {
        if (!plan) return;
        await request(ChangeSubscriptionDocument, { input: { plan, interval } });
        for (const document of [SubscriptionDocument, UsageDocument])
          void cache.invalidateQueries({ queryKey: keyOf(document) });
        notify(
          preview?.effectiveAt
            ? texts.followsOn(planName(plan), day(preview.effectiveAt))
            : texts.youAreOn(planName(plan)),
        );
      }}
    >
      <QueryStates query={previewed} lines={['100%', '60%']} />
      {preview && (
        <p className={styles.due}>
          <span>{texts.chargedNow}</span>
          <strong>{money(preview.prorationAmount, preview.prorationCurrency)}</strong>
        </p>
      )}
    </ConfirmDialog>
  );
}

function wordsOf(preview: PreviewSubscriptionChangeQuery['previewSubscriptionChange']): string {
  const { effectiveAt, nextAmount, nextPaymentAt, prorationCurrency, currentPlan, interval } = preview;
  const later =
    typeof nextAmount !== 'number'
      ? ''
      : (interval === 'YEAR' ? texts.costsYearly : texts.costsMonthly)(
          day(nextPaymentAt),
          money(nextAmount, prorationCurrency),
        );
  if (effectiveAt) return texts.keepUntil(planName(currentPlan), day(effectiveAt), later);
  return texts.holdsOnceRestPeriod(later) + (preview.resumes ? texts.cancellationWithdrawn : '');
}
