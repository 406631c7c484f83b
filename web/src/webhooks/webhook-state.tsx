import type { WebhookFieldsFragment } from '../api/generated/operations.ts';
import { common } from '../parts/common-texts.ts';
import { Status } from '../parts/figures/status.tsx';
import { texts } from './texts.ts';

const reasons: Readonly<Record<string, string>> = {
  failures: texts.disabledAfter100Failures,
  gone: texts.disabledEndpointGone410,
  owner: texts.switchedOff,
};

interface WebhookStateProps {
  webhook: Pick<WebhookFieldsFragment, 'active' | 'disabledReason'>;
  /** Shows why the service disabled the webhook only as a tooltip. */
  isShort?: boolean;
}

export function WebhookState({ webhook: { active, disabledReason }, isShort }: WebhookStateProps) {
  if (active) return <Status tone="good">{common.active}</Status>;
  const reason = reasons[disabledReason ?? ''] ?? texts.disabled;
  if (disabledReason === 'owner') return <Status tone="muted">{reason}</Status>;
  return <Status tone="bad">{isShort ? <span title={reason}>{texts.disabled}</span> : reason}</Status>;
}
