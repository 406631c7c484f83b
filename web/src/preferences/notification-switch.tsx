import { useState } from 'react';
import { setPreferences, usePreferences } from './preferences.ts';
import { SwitchRow } from './switch-row.tsx';
import { texts } from './texts.ts';

const currentPermission = (): NotificationPermission | null =>
  'Notification' in globalThis ? Notification.permission : null;

/** The preference for notifications. Enabling it requests the browser's permission; if that is denied, it stays off. */
export function NotificationSwitch() {
  const { notifyReplies } = usePreferences();
  const [permission, setPermission] = useState(currentPermission);
  if (permission === null) return null;
  const change = async (isOn: boolean): Promise<void> => {
    const given = isOn ? await Notification.requestPermission() : permission;
    setPermission(given);
    setPreferences({ notifyReplies: isOn && given === 'granted' });
  };
  return (
    <SwitchRow
      label={texts.notifyReplies}
      hint={permission === 'denied' ? texts.notificationsBlocked : texts.notifiedWhileHidden}
      isOn={notifyReplies && permission === 'granted'}
      onChange={(isOn) => void change(isOn)}
    />
  );
}
