import { X } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { Button } from '../controls/button.tsx';
import { IconButton } from '../controls/icon-button.tsx';
import { texts } from '../texts.ts';
import { closeToast, onToastsChange, shownToasts, type Toast } from './toast-store.ts';
import styles from './toasts.module.css';

const shownMs = 5_000;

/** Toasts over the page. The live regions exist before their content, so that screen readers announce it. */
export function Toasts() {
  const toasts = useSyncExternalStore(onToastsChange, shownToasts);
  return (
    <section className={styles.viewport} aria-label={texts.messagesPage}>
      <div role="status">{show(toasts.filter(({ isFailure }) => !isFailure))}</div>
      <div role="alert">{show(toasts.filter(({ isFailure }) => isFailure))}</div>
    </section>
  );
}

const show = (toasts: readonly Toast[]) => toasts.map((toast) => <ToastCard key={toast.id} toast={toast} />);

function ToastCard({ toast: { id, title, description, action, isFailure } }: { toast: Toast }) {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isFailure || isHeld) return;
    const timer = setTimeout(() => closeToast(id), shownMs);
    return () => clearTimeout(timer);
  }, [id, isFailure, isHeld]);
  const hold = (): void => setHeld(true);
  const release = (): void => setHeld(false);
  return (
    <div className={styles.toast} onPointerEnter={hold} onPointerLeave={release} onFocus={hold} onBlur={release}>
      <div className={styles.text}>
        <p className={styles.title}>{title}</p>
        {description && <p className={styles.description}>{description}</p>}
      </div>
      {action && (
        <Button
          size="small"
          onClick={() => {
            closeToast(id);
            action.run();
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton size="small" label={texts.close} onClick={() => closeToast(id)}>
        <X size={16} />
      </IconButton>
    </div>
  );
}
