import type { DeliveryFieldsFragment, DeliveryStatus } from '../api/generated/operations.ts';
import { common } from '../parts/common-texts.ts';
import type { StatusTone } from '../parts/figures/status.tsx';
import { texts } from './texts.ts';

export const deliveryStates: readonly (readonly [DeliveryStatus, string, StatusTone])[] = [
  ['DELIVERED', texts.delivered, 'good'],
  ['PENDING', texts.pending, 'info'],
  ['FAILED', common.failed, 'bad'],
  ['SKIPPED', texts.skipped, 'muted'],
];

export const stateOf = (status: DeliveryStatus): { word: string; tone: StatusTone } => {
  const [, word, tone] = deliveryStates.find(([name]) => name === status) ?? [status, status, 'muted' as const];
  return { word, tone };
};

type Attempt = DeliveryFieldsFragment['attempts'][number];

const faults: Readonly<Record<string, string>> = {
  unreachable: texts.addressCouldNotReached,
  tls_error: texts.certificateNotAccepted,
  tls_certificate_expired: texts.certificateExpired,
  tls_certificate_not_yet_valid: texts.certificateNotYetValid,
  tls_wrong_host: texts.certificateOtherHost,
  tls_self_signed: texts.certificateSelfSigned,
  tls_incomplete_chain: texts.certificateIncomplete,
  tls_http2_only: texts.http2Only,
  tls_not_spoken: texts.plainHttp,
  connection_lost: texts.connectionLost,
  timeout: texts.noAnswerWithin5,
  interrupted: texts.serviceStoppedDuringAttempt,
  event_expired: texts.eventNoLongerKept,
};

/** Describes how an attempt ended. */
export function outcomeOf({ status, error }: Attempt): string {
  if (error) return faults[error] ?? error;
  return status === null ? texts.noAnswer : `HTTP ${status}`;
}

export const isGood = ({ status, error }: Attempt): boolean =>
  !error && status !== null && status !== undefined && status >= 200 && status < 300;
