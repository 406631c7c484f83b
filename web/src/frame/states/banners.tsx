import { keep } from '../../api/keep.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import { MeDocument, ResendVerificationDocument } from '../../api/generated/operations.ts';
import { query } from '../../api/query.ts';
import { request } from '../../api/request.ts';
import { fillIn } from '../../parts/values/fill-in.tsx';
import { PastDueBanner } from './past-due-banner.tsx';
import { Button } from '../../parts/controls/button.tsx';
import { IconButton } from '../../parts/controls/icon-button.tsx';
import { moveFocusOnRemoval } from '../../parts/controls/focus-after-removal.ts';
import { isNewVersionReady, onNewVersion } from '../../parts/layers/load-part.ts';
import { notify, notifyFailure } from '../../parts/layers/toast-store.ts';
import { texts } from '../texts.ts';
import styles from './banners.module.css';

/** Notices that concern every page, one line each. */
export const Banners = () => (
  <section aria-label={texts.notices}>
    <OfflineBanner />
    <NewVersionBanner />
    <PastDueBanner />
    <VerificationBanner />
  </section>
);

function subscribeToNetwork(listener: () => void): () => void {
  for (const event of ['online', 'offline']) addEventListener(event, listener);
  return () => {
    for (const event of ['online', 'offline']) removeEventListener(event, listener);
  };
}

function OfflineBanner() {
  const isOnline = useSyncExternalStore(subscribeToNetwork, () => navigator.onLine);
  // A room does not store messages while offline.
  const isRoom = useLocation().pathname.startsWith('/rooms/');
  return (
    <div role="status">
      {!isOnline && (
        <p className={styles.banner} data-kind="warn">
          {isRoom ? texts.offlineRoomContinues : texts.offlineSendKeptGoes}
        </p>
      )}
    </div>
  );
}

function NewVersionBanner() {
  const isReady = useSyncExternalStore(onNewVersion, isNewVersionReady);
  return (
    <div role="status">
      {isReady && (
        <div className={styles.banner}>
          <p>{texts.newVersionReady}</p>
          <Button size="small" onClick={() => location.reload()}>
            {texts.reload}
          </Button>
        </div>
      )}
    </div>
  );
}

function VerificationBanner() {
  const { data } = useQuery(query(MeDocument, {}));
  const [isDismissed, setDismissed] = useState(() => sessionStorage.getItem('verification-dismissed') === 'yes');
  const resend = useMutation({
    mutationFn: () => request(ResendVerificationDocument, {}),
    onSuccess: () => notify(texts.anotherMailWay),
    onError: (error) => notifyFailure(texts.mailNotSent, error),
  });
  if (!data || data.me.emailVerified || isDismissed) return null;
  return (
    <div className={styles.banner}>
      <p>{fillIn(texts.confirmAddressOpenLink, { email: <bdi>{data.me.email}</bdi> })}</p>
      <Button size="small" variant="quiet" isBusy={resend.isPending} onClick={() => resend.mutate()}>
        {texts.sendAgain}
      </Button>
      <IconButton
        ref={moveFocusOnRemoval}
        size="small"
        label={texts.dismiss}
        onClick={() => {
          keep(sessionStorage, 'verification-dismissed', 'yes');
          setDismissed(true);
        }}
      >
        <X size={16} />
      </IconButton>
    </div>
  );
}
