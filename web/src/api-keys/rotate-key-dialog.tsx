import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApiKeyFieldsFragment, RotateApiKeyDocument } from '../api/generated/operations.ts';
import { request } from '../api/request.ts';
import { Button } from '../parts/button.tsx';
import { common } from '../parts/common-texts.ts';
import { DialogActions } from '../parts/dialog-actions.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { texts } from './texts.ts';

const overlaps = [
  ['0', texts.notAll],
  ['3600', '1 hour'],
  ['86400', '24 hours'],
  ['604800', '7 days'],
] as const;

interface RotateKeyDialogProps {
  apiKey: ApiKeyFieldsFragment | null;
  onClose: () => void;
  onCreated: (key: string) => void;
}

/** Replaces a key by a new one with the same name and scopes. */
export function RotateKeyDialog({ apiKey, onClose, onCreated }: RotateKeyDialogProps) {
  const [overlap, setOverlap] = useState('86400');
  const rotate = useMutation({
    mutationFn: (id: string) => request(RotateApiKeyDocument, { id, input: { overlapSeconds: Number(overlap) } }),
    onSuccess: ({ rotateApiKey }) => {
      onClose();
      onCreated(rotateApiKey.key);
    },
  });
  return (
    <Dialog isOpen={apiKey !== null} title={texts.rotateKey} description={texts.getNewKeySame} onClose={onClose}>
      <SelectField name="overlap" label={texts.oldKeyWorks} value={overlap} options={overlaps} onChange={setOverlap} />
      {rotate.error && <ErrorNote error={rotate.error} />}
      <DialogActions>
        <Button onClick={onClose}>{common.cancel}</Button>
        <Button variant="primary" isBusy={rotate.isPending} onClick={() => apiKey && rotate.mutate(apiKey.id)}>
          {texts.rotate}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
