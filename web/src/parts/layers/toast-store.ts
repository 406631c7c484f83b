import { asApiError } from '../../api/api-error.ts';
import { common } from '../common-texts.ts';

interface ToastAction {
  label: string;
  run: () => void;
}

export interface Toast {
  id: number;
  title: string;
  description?: string | undefined;
  action?: ToastAction | undefined;
  /** A failure stays until it is closed, and interrupts screen readers. */
  isFailure: boolean;
}

const maximum = 3;
let toasts: readonly Toast[] = [];
let count = 0;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

const add = (toast: Omit<Toast, 'id'>): void => change([...toasts, { ...toast, id: ++count }].slice(-maximum));

export const closeToast = (id: number): void => change(toasts.filter((toast) => toast.id !== id));

/** Shows a short confirmation that disappears automatically. */
export const notify = (title: string, action?: ToastAction): void => add({ title, action, isFailure: false });

/** Shows a failure that has no place on the page. It stays until it is closed. */
export function notifyFailure(title: string, error: unknown, retry?: () => void): void {
  const { message, requestId } = asApiError(error);
  add({
    title,
    description: requestId ? `${message} (request ${requestId})` : message,
    action: retry && { label: common.tryAgain, run: retry },
    isFailure: true,
  });
}

export const shownToasts = (): readonly Toast[] => toasts;

export function onToastsChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
