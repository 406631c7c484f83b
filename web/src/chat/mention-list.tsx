import { Avatar } from '../parts/avatar.tsx';
import { texts } from './texts.ts';
import type { Mentionable } from './use-mentions.ts';
import styles from './composer.module.css';

interface MentionListProps {
  id: string;
  shown: readonly Mentionable[];
  active: number;
  onTake: (mentionable: Mentionable) => void;
}

/** The names that fit what is typed behind an @. The keys stay in the field. */
export const MentionList = ({ id, shown, active, onTake }: MentionListProps) => (
  <div id={id} className={styles.mentions} role="listbox" aria-label={texts.mention}>
    {shown.map((mentionable, place) => (
      <div
        key={mentionable.id}
        id={`${id}-${place}`}
        role="option"
        aria-selected={place === active}
        tabIndex={-1}
        className={styles.mention}
        // The field keeps the focus.
        onMouseDown={(event) => {
          event.preventDefault();
          onTake(mentionable);
        }}
      >
        <Avatar name={mentionable.label} seed={mentionable.id} size={22} />
        <span dir="auto">{mentionable.label}</span>
        {mentionable.handle !== mentionable.label && <small dir="auto">@{mentionable.handle}</small>}
      </div>
    ))}
  </div>
);
