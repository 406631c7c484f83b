import type { ReactNode } from 'react';
import { asApiError, isPlanLimit } from '../../api/api-error.ts';
import { Button } from '../controls/button.tsx';
import { moveFocusOnRemoval } from '../controls/focus-after-removal.ts';
import { common } from '../common-texts.ts';
import { fillIn } from '../values/fill-in.tsx';
import { PlansLink } from './plans-link.tsx';
import { texts } from '../texts.ts';
import styles from './error-note.module.css';

interface ErrorNoteProps {
  error: unknown;
  onRetry?: (() => void) | undefined;
  /** Additional actions. */
  children?: ReactNode;
}

/** The API's error message, a retry, and the request id for reports. */
export function ErrorNote({ error, onRetry, children }: ErrorNoteProps) {
  const shown = asApiError(error);
  const { message, requestId } = shown;
  return (
    <div role="alert" className={styles.note}>
      <p>{message}</p>
      {isPlanLimit(shown) && <PlansLink />}
      {(onRetry || children) && (
        <div className={styles.actions}>
          {onRetry && (
            <Button ref={moveFocusOnRemoval} size="small" onClick={onRetry}>
              {common.tryAgain}
            </Button>
          )}
          {children}
        </div>
      )}
      {requestId && (
        <p className={styles.request}>{fillIn(texts.request, { requestId: <code dir="ltr">{requestId}</code> })}</p>
      )}
    </div>
  );
}
