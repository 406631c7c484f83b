import { Sparkles, Trash2, Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import { Avatar } from '../parts/avatar.tsx';
import { ownPath } from '../parts/own-path.ts';
import { Button } from '../parts/controls/button.tsx';
import { RemovableButton } from '../parts/controls/removable-button.tsx';
import { common } from '../parts/common-texts.ts';
import { later } from '../parts/layers/later.ts';
import { OnceOpen } from '../parts/layers/once-open.tsx';
import { texts } from './texts.ts';
import styles from './images.module.css';
import type { PictureOwner } from './picture-owner.ts';

const CropDialog = later(() => import('./crop-dialog.tsx'));
const MakePictureDialog = later(() => import('./make-picture-dialog.tsx'));

interface PictureEditorProps {
  owner: PictureOwner;
  /** Called after the picture was changed. */
  onChange: () => void;
  onRemove: () => void;
}

/** The avatar or banner of an agent or a person, with actions that change it. */
export function PictureEditor({ owner, onChange, onRemove }: PictureEditorProps) {
  const [isMaking, setMaking] = useState(false);
  const [file, setFile] = useState<File | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const isBanner = owner.kind === 'BANNER';
  return (
    <div className={styles.editor}>
      {isBanner ? <Banner picture={owner.picture} /> : <Avatar name={owner.name} picture={owner.picture} size={88} />}
      <div className={styles.ways}>
        <div className={styles.actions}>
          <Button onClick={() => setMaking(true)}>
            <Sparkles size={16} />
            {isBanner ? texts.makeBanner : texts.makePicture}
          </Button>
          <Button onClick={() => input.current?.click()}>
            <Upload size={16} />
            {texts.upload}
          </Button>
          {owner.picture && (
            <RemovableButton variant="quiet" onClick={onRemove}>
              <Trash2 size={16} />
              {common.remove}
            </RemovableButton>
          )}
        </div>
        <p className={styles.hint}>
          {owner.picture?.aiGenerated ? texts.madeModel : ''}
          {isBanner ? texts.shapeOfBanner : texts.kindsOfPicture}
        </p>
        <input
          ref={input}
          type="file"
          hidden
          aria-label={texts.pictureUpload}
          accept="image/png,image/jpeg,image/webp,image/gif"
          onChange={({ target }) => {
            setFile(target.files?.[0] ?? null);
            target.value = '';
          }}
        />
      </div>
      {isMaking && (
        <OnceOpen isOpen onClose={() => setMaking(false)}>
          <MakePictureDialog owner={owner} onChange={onChange} onClose={() => setMaking(false)} />
        </OnceOpen>
      )}
      {file && (
        <OnceOpen isOpen onClose={() => setFile(null)}>
          <CropDialog file={file} owner={owner} onChange={onChange} onClose={() => setFile(null)} />
        </OnceOpen>
      )}
    </div>
  );
}

const Banner = ({ picture }: Pick<PictureOwner, 'picture'>) =>
  picture ? (
    <img className={styles.banner} src={ownPath(picture.medium)} alt={texts.banner} width={768} height={256} />
  ) : (
    <p className={`${styles.banner} ${styles.hint}`}>{texts.noBanner}</p>
  );
