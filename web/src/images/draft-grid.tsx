import { Trash2 } from 'lucide-react';
import type { ImageKind, ImagePartsFragment } from '../api/generated/operations.ts';
import { IconButton } from '../parts/controls/icon-button.tsx';
import { texts } from './texts.ts';
import styles from './images.module.css';
import { ownPath } from '../parts/own-path.ts';

interface DraftGridProps {
  kind: ImageKind;
  images: readonly ImagePartsFragment[];
  /** URL of the current picture. */
  shownUrl: string | null;
  isBusy: boolean;
  onUse: (id: string) => void;
  onDelete: (id: string) => void;
}

/** Pictures to choose from. Those still being generated come first. */
export function DraftGrid({ kind, images, shownUrl, isBusy, onUse, onDelete }: DraftGridProps) {
  const waiting = images.filter(({ status }) => status === 'PROCESSING').length;
  const hint = images.length > 0 ? texts.chooseUsedNowhereRemoved : '';
  return (
    <>
      <p className={`${styles.hint} ${styles.status}`} role="status">
        {waiting > 0 ? texts.drawing(waiting) : hint}
      </p>
      <ul className={styles.grid} data-kind={kind}>
        {images.map((image) => (
          <li key={image.id} className={styles.tile}>
            <Draft
              image={image}
              isShown={shownUrl !== null && [image.urls?.medium, image.urls?.large].includes(shownUrl)}
              isBusy={isBusy}
              onUse={() => onUse(image.id)}
            />
            {image.status !== 'PROCESSING' && (
              <IconButton
                size="small"
                label={texts.deletePicture}
                className={styles.delete}
                onClick={() => onDelete(image.id)}
              >
                <Trash2 size={14} />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

interface DraftProps {
  image: ImagePartsFragment;
  isShown: boolean;
  isBusy: boolean;
  onUse: () => void;
}

function Draft({ image: { status, urls, error, prompt, source }, isShown, isBusy, onUse }: DraftProps) {
  if (status === 'PROCESSING') return <div className={styles.drawing} aria-label={texts.beingDrawn} role="img" />;
  if (status === 'FAILED') return <p className={styles.failed}>{error?.message}</p>;
  const what = source === 'UPLOADED' ? texts.uploadedPicture : (prompt ?? texts.drawnAgent);
  return (
    <button
      type="button"
      className={styles.use}
      aria-label={texts.choose(what)}
      aria-pressed={isShown}
      aria-disabled={isBusy || undefined}
      onClick={() => !isBusy && onUse()}
    >
      <img src={ownPath(urls?.medium ?? '')} alt="" />
      {isShown && <span className={styles.badge}>{texts.inUse}</span>}
    </button>
  );
}
