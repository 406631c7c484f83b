import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { asApiError } from '../../api/api-error.ts';
import { useRetry } from '../../api/use-retry.ts';
import { ButtonLink } from '../../parts/controls/button-link.tsx';
import { ErrorNote } from '../../parts/lists/error-note.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { texts } from './error-texts.ts';
import styles from './error-page.module.css';

/** Shown in place of a failed screen; the frame around it still works. Transient failures are retried automatically. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = (): void => {
    reset();
    void router.invalidate();
  };
  useRetry(error, retry);
  if (asApiError(error).code === 'NOT_FOUND') return <NotFoundPage />;
  return (
    <div className={styles.page}>
      <PageTitle title={texts.notWork} />
      <ErrorNote error={error} onRetry={retry} />
    </div>
  );
}

export const NotFoundPage = () => (
  <div className={styles.page}>
    <PageTitle title={texts.noSuchPage} />
    <p className={styles.text}>{texts.addressWrongHereGone}</p>
    <div>
      <ButtonLink to="/">{texts.toTheStart}</ButtonLink>
    </div>
  </div>
);
