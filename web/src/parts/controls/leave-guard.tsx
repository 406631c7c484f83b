import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from '../layers/confirm-dialog.tsx';
import { texts } from '../texts.ts';

interface LeaveGuardProps {
  isDirty: boolean;
  /** Whether leaving loses the changes, because no draft is kept on this device. Then closing the tab asks too. */
  isLossy?: boolean;
  title?: string;
  /** What happens to the changes. */
  description?: string;
}

/** Asks before leaving a page with unsaved changes. */
export function LeaveGuard({
  isDirty,
  isLossy = false,
  title = texts.leaveWithoutSaving,
  description = isLossy ? texts.changesWillBeLost : texts.changesKeptDeviceHere,
}: LeaveGuardProps) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isLossy && isDirty,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      isOpen={blocker.status === 'blocked'}
      variant="primary"
      title={title}
      description={description}
      action={texts.leave}
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    />
  );
}
