import type { WebhookFieldsFragment } from '../api/generated/operations.ts';
import { common } from '../parts/common-texts.ts';
import { Status } from '../parts/figures/status.tsx';
import { texts } from './texts.ts';

const reasons: Readonly<Record<string, string>> = {
  failures: texts.disabledAfter100Failures,
  gone: texts.disabledEndpointGone410,
  owner: texts.switchedOff,
};

export const reasonOf = (disabledReason: string): string => reasons[disabledReason] ?? texts.disabled;

interface WebhookStateProps {
  webhook: Pick<WebhookFieldsFragment, 'active' | 'disabledReason'>;
  /** Leaves out why the service disabled the webhook. */
  isShort?: boolean;
}

export function WebhookState({ webhook: { active, disabledReason }, isShort }: WebhookStateProps) {
  if (active) return <Status tone="good">{common.active}</Status>;
  const reason = reasonOf(disabledReason ?? '');
  if (disabledReason === 'owner') return <Status tone="muted">{reason}</Status>;
  return <Status tone="bad">{isShort ? texts.disabled : reason}</Status>;
}
