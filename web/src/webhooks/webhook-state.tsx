import type { WebhookFieldsFragment } from '../api/generated/operations.ts';
import { common } from '../parts/common-texts.ts';
import { Status } from '../parts/status.tsx';
import { texts } from './texts.ts';

const reasons: Readonly<Record<string, string>> = {
  failures: texts.disabledAfter100Failures,
  gone: texts.disabledEndpointGone410,
  owner: texts.switchedOff,
};

export const WebhookState = ({ webhook }: { webhook: Pick<WebhookFieldsFragment, 'active' | 'disabledReason'> }) =>
  webhook.active ? (
    <Status tone="good">{common.active}</Status>
  ) : (
    <Status tone={webhook.disabledReason === 'owner' ? 'muted' : 'bad'}>
      {reasons[webhook.disabledReason ?? ''] ?? texts.disabled}
    </Status>
  );
