import type { IntegrationFieldsFragment } from '../api/generated/operations.ts';
import { common } from '../parts/common-texts.ts';
import { Status } from '../parts/figures/status.tsx';
import { texts } from './texts.ts';

export const IntegrationState = ({ integration }: { integration: Pick<IntegrationFieldsFragment, 'status'> }) => {
  if (integration.status === 'ACTIVE') return <Status tone="good">{common.active}</Status>;
  return integration.status === 'ERROR' ? (
    <Status tone="bad">{texts.error}</Status>
  ) : (
    <Status tone="muted">{texts.switchedOff}</Status>
  );
};
