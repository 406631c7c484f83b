import { Avatar } from '../parts/avatar.tsx';
import { ConfirmDialog } from '../parts/layers/confirm-dialog.tsx';
import { texts } from './texts.ts';
import styles from './agents.module.css';

interface PublishDialogProps {
  isOpen: boolean;
  agent: { name: string; description: string | null; picture?: { small: string; medium: string } | null | undefined };
  /** Whether it is public now. */
  isPublic: boolean;
  onConfirm: () => Promise<unknown> | void;
  onClose: () => void;
}

/** Confirmation before an agent becomes public or private. It lists what others will see, or lose access to. */
export const PublishDialog = ({ isOpen, agent, isPublic, onConfirm, onClose }: PublishDialogProps) => (
  <ConfirmDialog
    isOpen={isOpen}
    variant="primary"
    title={isPublic ? texts.makeAgentPrivate : texts.makeAgentPublic}
    description={isPublic ? texts.otherPeopleNoLonger : texts.everyoneFindMarketplace}
    action={isPublic ? texts.makePrivate : texts.makePublic}
    onConfirm={onConfirm}
    onClose={onClose}
  >
    {!isPublic && (
      <>
        <div className={styles.preview} role="group" aria-label={texts.othersSee}>
          <Avatar name={agent.name} picture={agent.picture} size={36} />
          <div className={styles.names}>
            <strong dir="auto">{agent.name || texts.noNameYet}</strong>
            <p className={styles.text} dir="auto">
              {agent.description || texts.noDescription}
            </p>
          </div>
        </div>
        <p className={styles.warning}>{texts.instructionsCoaxed}</p>
      </>
    )}
  </ConfirmDialog>
);
