import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, type PointerEvent, useEffect, useState } from 'react';
import { ApiError, asApiError } from '../api/api-error.ts';
import { newIdempotencyKey } from '../api/idempotency-key.ts';
import { fetchAuthorized } from '../api/request.ts';
import { Button } from '../parts/controls/button.tsx';
import { common } from '../parts/common-texts.ts';
import { Dialog } from '../parts/layers/dialog.tsx';
import { DialogActions } from '../parts/layers/dialog-actions.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { notify } from '../parts/layers/toast-store.ts';
import { areaOf, bounded, type Crop, cropFile, drawCrop, maximumZoom, wholePicture } from './crop.ts';
import { texts } from './texts.ts';
import styles from './images.module.css';
import { aspects, type PictureOwner } from './picture-owner.ts';

interface CropDialogProps {
  file: File;
  owner: PictureOwner;
  onChange: () => void;
  onClose: () => void;
}

const step = 0.03;
/** Width of the canvas in pixels. Divisible by three, the aspect ratio of a banner. */
const shownWidth = 768;
/** Width in pixels of the largest image that the service derives from an upload. */
const widest = { AVATAR: 1_024, BANNER: 1_536 } as const;
const moves: Record<string, [x: number, y: number, zoom: number]> = {
  ArrowLeft: [-step, 0, 0],
  ArrowRight: [step, 0, 0],
  ArrowUp: [0, -step, 0],
  ArrowDown: [0, step, 0],
  '+': [0, 0, 0.1],
  '=': [0, 0, 0.1],
  '-': [0, 0, -0.1],
};

/** Crops a picture to a square avatar or a wide banner, with the pointer or the keyboard, and uploads it. */
export default function CropDialog({ file, owner, onChange, onClose }: CropDialogProps) {
  const aspect = aspects[owner.kind];
  const { picture, error: unreadable } = usePicture(file);
  const [crop, setCrop] = useState<Crop>(wholePicture);
  const [key] = useState(newIdempotencyKey);
  // State, not a ref, because the dialog may be rendered after the picture is decoded.
  const [canvas, setCanvas] = useState<HTMLCanvasElement | null>(null);
  useEffect(() => {
    if (canvas && picture) drawCrop(canvas, picture, crop);
  }, [canvas, picture, crop]);

  const move = (x: number, y: number, zoom = 0): void =>
    setCrop((now) => (picture ? bounded({ x: now.x + x, y: now.y + y, zoom: now.zoom + zoom }, picture, aspect) : now));
  const onKeyDown = (event: KeyboardEvent): void => {
    const [x, y, zoom] = moves[event.key] ?? [];
    if (x === undefined || y === undefined) return;
    event.preventDefault();
    move(x, y, zoom);
  };
  const onPointerMove = ({ buttons, movementX, movementY, currentTarget }: PointerEvent<HTMLButtonElement>): void => {
    if (!picture || buttons !== 1) return;
    const perPixel = areaOf(picture, aspect, crop.zoom).width / currentTarget.clientWidth;
    move((-movementX * perPixel) / picture.width, (-movementY * perPixel) / picture.height);
  };
  const upload = useMutation({
    mutationFn: async (whole: ImageBitmap) =>
      uploadPicture(await cropFile(whole, crop, aspect, widest[owner.kind]), owner, key),
    onSuccess: () => {
      onChange();
      notify(texts.pictureChanged);
      onClose();
    },
  });
  return (
    <Dialog isOpen title={texts.cropPicture} onClose={onClose}>
      {unreadable ? (
        <ErrorNote error={unreadable} />
      ) : (
        <>
          <button
            type="button"
            className={styles.crop}
            data-kind={owner.kind}
            aria-label={texts.partShownArrowKeys}
            onKeyDown={onKeyDown}
            onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
            onPointerMove={onPointerMove}
          >
            <canvas ref={setCanvas} width={shownWidth} height={shownWidth / aspect} />
          </button>
          <label className={styles.zoom}>
            {texts.zoom}
            <input
              type="range"
              min={1}
              max={maximumZoom}
              step={0.05}
              value={crop.zoom}
              onChange={({ target }) => move(0, 0, Number(target.value) - crop.zoom)}
            />
          </label>
        </>
      )}
      {upload.error && <ErrorNote error={asApiError(upload.error)} />}
      <DialogActions>
        <Button onClick={onClose}>{common.cancel}</Button>
        {picture && (
          <Button variant="primary" isBusy={upload.isPending} onClick={() => upload.mutate(picture)}>
            {upload.isPending ? texts.uploading : texts.takePart}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

/** Decodes a file and applies its EXIF orientation. */
function usePicture(file: File) {
  const [state, setState] = useState<{ picture: ImageBitmap | null; error: ApiError | null }>({
    picture: null,
    error: null,
  });
  useEffect(() => {
    let picture: ImageBitmap | undefined;
    let isGone = false;
    createImageBitmap(file, { imageOrientation: 'from-image' }).then(
      (decoded) => {
        picture = decoded;
        if (isGone) decoded.close();
        else setState({ picture: decoded, error: null });
      },
      () =>
        setState({
          picture: null,
          error: new ApiError('INVALID_REQUEST', texts.fileCantReadChoose),
        }),
    );
    return () => {
      isGone = true;
      picture?.close();
    };
  }, [file]);
  return state;
}

async function uploadPicture(picture: Blob, { kind, agentId }: PictureOwner, idempotencyKey: string): Promise<void> {
  const body = new FormData();
  body.append('kind', kind.toLowerCase());
  if (agentId !== null) body.append('agent_id', agentId);
  body.append('apply', 'true');
  body.append('file', picture, 'picture.webp');
  await fetchAuthorized('/v1/images/uploads', { method: 'POST', body, idempotencyKey });
}
