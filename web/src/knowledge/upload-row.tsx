import { Progress } from '@base-ui/react/progress';
import { isPlanLimit } from '../api/api-error.ts';
import { Button } from '../parts/controls/button.tsx';
import { RemovableButton } from '../parts/controls/removable-button.tsx';
import { moveFocusOnRemoval } from '../parts/controls/focus-after-removal.ts';
import { common } from '../parts/common-texts.ts';
import { fileSize } from '../parts/values/file-size.ts';
import { PlansLink } from '../parts/lists/plans-link.tsx';
import { texts } from './texts.ts';
import type { Upload } from './use-uploads.ts';
import styles from './knowledge.module.css';

interface UploadRowProps {
  upload: Upload;
  onRetry: () => void;
  onRemove: () => void;
}

/** Error codes that a retry would return again. */
const finalCodes = new Set(['UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE', 'INVALID_REQUEST']);

export function UploadRow({ upload: { file, share, error }, onRetry, onRemove }: UploadRowProps) {
  return (
    <li ref={moveFocusOnRemoval} data-row tabIndex={-1} className={styles.row}>
      <div className={styles.names}>
        <p className={styles.name}>
          <bdi>{file.name}</bdi>
        </p>
        {error ? (
          <p className={styles.error} role="alert">
            {error.message} {isPlanLimit(error) && <PlansLink />}
          </p>
        ) : (
          <Progress.Root
            value={Math.round(share * 100)}
            className={styles.progress}
            aria-label={texts.uploadOf(file.name)}
          >
            <Progress.Track className={styles.track}>
              <Progress.Indicator className={styles.indicator} />
            </Progress.Track>
          </Progress.Root>
        )}
      </div>
      <span className={styles.meta}>{error ? fileSize(file.size) : texts.uploading(Math.round(share * 100))}</span>
      {error && !finalCodes.has(error.code) && (
        <RemovableButton size="small" onClick={onRetry}>
          {common.tryAgain}
        </RemovableButton>
      )}
      <Button size="small" variant="quiet" onClick={onRemove}>
        {error ? common.remove : common.cancel}
      </Button>
    </li>
  );
}
