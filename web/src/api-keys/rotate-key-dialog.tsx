import { useState } from 'react';
import { type ApiKeyFieldsFragment, RotateApiKeyDocument } from '../api/generated/operations.ts';
import { request } from '../api/request.ts';
import { Button } from '../parts/controls/button.tsx';
import { common } from '../parts/common-texts.ts';
import { DialogActions } from '../parts/layers/dialog-actions.tsx';
import { Dialog } from '../parts/layers/dialog.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { SelectField } from '../parts/controls/select-field.tsx';
import { useSave } from '../parts/controls/use-save.ts';
import type { CreatedKey } from './key-secret.tsx';
import { texts } from './texts.ts';

const overlaps = [
  ['0', texts.notAll],
  ['3600', texts.oneHour],
  ['86400', texts.oneDay],
  ['604800', texts.sevenDays],
] as const;

interface RotateKeyDialogProps {
  apiKey: ApiKeyFieldsFragment | null;
  onClose: () => void;
  onCreated: (created: CreatedKey) => void;
}

/** Replaces a key by a new one with the same name and scopes. */
export const RotateKeyDialog = ({ apiKey, onClose, onCreated }: RotateKeyDialogProps) => (
  <Dialog isOpen={apiKey !== null} title={texts.rotateKey} description={texts.getNewKeySame} onClose={onClose}>
    {apiKey !== null && <Rotation id={apiKey.id} onClose={onClose} onCreated={onCreated} />}
  </Dialog>
);

interface RotationProps extends Pick<RotateKeyDialogProps, 'onClose' | 'onCreated'> {
  id: string;
}

function Rotation({ id, onClose, onCreated }: RotationProps) {
  const [overlap, setOverlap] = useState('86400');
  const { save, isPending, error } = useSave(async () => {
    const { rotateApiKey } = await request(RotateApiKeyDocument, { id, input: { overlapSeconds: Number(overlap) } });
    onClose();
    onCreated(rotateApiKey);
  });
  return (
    <>
      <SelectField name="overlap" label={texts.oldKeyWorks} value={overlap} options={overlaps} onChange={setOverlap} />
      {error && <ErrorNote error={error} />}
      <DialogActions>
        <Button onClick={onClose}>{common.cancel}</Button>
        <Button variant="primary" isBusy={isPending} onClick={() => save()}>
          {texts.rotate}
        </Button>
      </DialogActions>
    </>
  );
}
