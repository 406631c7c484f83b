import { Switch } from '@base-ui/react/switch';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import type { PicturePartsFragment } from '../api/generated/operations.ts';
import { fillIn } from '../parts/values/fill-in.tsx';
import { PublishDialog } from './publish-dialog.tsx';
import { texts } from './texts.ts';
import styles from './agents.module.css';

interface PublishSwitchProps {
  /** Absent for a new agent. */
  agentId?: string | undefined;
  picture?: PicturePartsFragment | null | undefined;
  name: string;
  description: string;
  isPublic: boolean;
  onChange: (isPublic: boolean) => void;
}

/** Public or private. It takes effect when the form is saved. */
export function PublishSwitch({ agentId, picture, name, description, isPublic, onChange }: PublishSwitchProps) {
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
        <p className={styles.hint}>{texts.everyoneFindTalk}</p>
        {agentId && (
          <p className={styles.hint}>
            {fillIn(texts.whatMarketplaceShows, {
              listing: (
                <Link to="/agents/$agentId/listing" params={{ agentId }}>
                  {texts.listingOfAgent}
                </Link>
              ),
            })}
          </p>
        )}
      </div>
      <PublishDialog
        isOpen={isAsking}
        agent={{ name, description, picture }}
        isPublic={isPublic}
        onConfirm={() => onChange(!isPublic)}
        onClose={() => setAsking(false)}
      />
    </div>
  );
}
