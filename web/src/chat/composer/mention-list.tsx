import { Avatar } from '../../parts/avatar.tsx';
import { texts } from '../texts.ts';
import type { Addressee } from './use-mentions.ts';
import styles from './composer.module.css';

interface MentionListProps {
  id: string;
  shown: readonly Addressee[];
  active: number;
  onTake: (addressee: Addressee) => void;
}

/** The names that match the text after an @. The keyboard focus stays in the text field. */
export const MentionList = ({ id, shown, active, onTake }: MentionListProps) => (
  <div id={id} className={styles.mentions} role="listbox" aria-label={texts.mention}>
    {shown.map((addressee, index) => (
      <div
        key={addressee.id}
        id={`${id}-${index}`}
        role="option"
        aria-selected={index === active}
        tabIndex={-1}
        className={styles.mention}
        // Keep the focus in the field.
        onMouseDown={(event) => {
          event.preventDefault();
          onTake(addressee);
        }}
      >
        <Avatar name={addressee.label} seed={addressee.id} size={22} />
        <span dir="auto">{addressee.label}</span>
        {addressee.handle !== addressee.label && <small dir="auto">@{addressee.handle}</small>}
      </div>
    ))}
  </div>
);
