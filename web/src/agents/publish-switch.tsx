import { Switch } from '@base-ui/react/switch';
import { useId, useState } from 'react';
import { Avatar } from '../parts/avatar.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { texts } from './texts.ts';
import styles from './agents.module.css';

interface PublishSwitchProps {
  name: string;
  description: string;
  isPublic: boolean;
  onChange: (isPublic: boolean) => void;
}

/** Public or private. It shows first what others will see, or what ends for them. */
export function PublishSwitch({ name, description, isPublic, onChange }: PublishSwitchProps) {
  const id = useId();
  const [isAsking, setAsking] = useState(false);
  return (
    <div className={styles.switchRow}>
      <Switch.Root
        className={styles.switch}
        checked={isPublic}
        onCheckedChange={() => setAsking(true)}
        aria-labelledby={id}
      >
        <Switch.Thumb className={styles.thumb} />
      </Switch.Root>
      <div>
        <span id={id}>{texts.public}</span>
        <p className={styles.hint}>{texts.everyoneFindUnderExplore}</p>
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        variant="primary"
        title={isPublic ? texts.makeAgentPrivate : texts.makeAgentPublic}
        description={isPublic ? texts.otherPeopleNoLonger : texts.everyoneFindUnderExploreTalk}
        action={isPublic ? texts.makePrivate : texts.makePublic}
        onConfirm={() => onChange(!isPublic)}
        onClose={() => setAsking(false)}
      >
        {!isPublic && (
          <div className={styles.preview} role="group" aria-label={texts.othersSee}>
            <Avatar name={name} size={36} />
            <div className={styles.names}>
              <strong dir="auto">{name || texts.noNameYet}</strong>
              <p className={styles.text} dir="auto">
                {description || texts.noDescription}
              </p>
            </div>
          </div>
        )}
      </ConfirmDialog>
    </div>
  );
}
