import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  ApplyImageDocument,
  DeleteImageDocument,
  type ImageStyle,
  ImagesDocument,
  MakeImagesDocument,
} from '../api/generated/operations.ts';
import { newIdempotencyKey } from '../api/idempotency-key.ts';
import { keyOf, query } from '../api/query.ts';
import { requestRemoval } from '../api/request-removal.ts';
import { request } from '../api/request.ts';
import { Button } from '../parts/controls/button.tsx';
import { Dialog } from '../parts/layers/dialog.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { FormField } from '../parts/controls/form-field.tsx';
import { SelectField } from '../parts/controls/select-field.tsx';
import { notify } from '../parts/layers/toast-store.ts';
import { useSingleMutation } from '../parts/controls/use-single-mutation.ts';
import { DraftGrid } from './draft-grid.tsx';
import { texts } from './texts.ts';
import styles from './images.module.css';
import type { PictureOwner } from './picture-owner.ts';

interface MakePictureDialogProps {
  owner: PictureOwner;
  onChange: () => void;
  onClose: () => void;
}

const styleOptions = [
  ['ILLUSTRATION', texts.illustration],
  ['WATERCOLOR', texts.watercolour],
  ['MINIMAL', texts.minimal],
  ['ANIME', texts.anime],
  ['PIXEL', texts.pixelArt],
  ['PHOTO', texts.photo],
] as const;

const shown = 24;
const refreshMs = 1_000;
/** The free plan allows three images a day. */
const draftsOf = (plan: string | undefined): number => (plan === 'FREE' ? 3 : 4);

/** Generates drafts and lets the person choose one. Earlier pictures stay below them. */
export default function MakePictureDialog({ owner, onChange, onClose }: MakePictureDialogProps) {
  const { agentId, kind } = owner;
  // A banner generated for anything else can be reused.
  const ofAgent = kind === 'BANNER' ? null : agentId;
  const cache = useQueryClient();
  const [prompt, setPrompt] = useState('');
  const [style, setStyle] = useState<string>('ILLUSTRATION');
  const [count, setCount] = useState('');
  const images = useQuery({
    ...query(ImagesDocument, { kind, agentId: ofAgent, limit: shown }),
    refetchInterval: ({ state }) =>
      state.data?.images.data.some(({ status }) => status === 'PROCESSING') ? refreshMs : false,
  });
  const drafts = count || String(draftsOf(images.data?.me.plan));
  const refresh = () => cache.invalidateQueries({ queryKey: keyOf(ImagesDocument) });

  const make = useSingleMutation({
    mutationFn: () =>
      request(
        MakeImagesDocument,
        {
          input: {
            kind,
            agentId,
            prompt: prompt.trim() || null,
            style: style as ImageStyle,
            count: Number(drafts),
          },
        },
        { idempotencyKey: newIdempotencyKey() },
      ),
    onSuccess: refresh,
  });
  const apply = useMutation({
    mutationFn: (id: string) =>
      request(ApplyImageDocument, { id, input: agentId === null ? { profile: true } : { agentId } }),
    onSuccess: () => {
      onChange();
      notify(texts.pictureChanged);
      onClose();
    },
  });
  const remove = useMutation({
    mutationFn: (id: string) => requestRemoval(DeleteImageDocument, { id, force: false }),
    onSettled: refresh,
  });
  const isPromptNeeded = agentId === null && prompt.trim() === '';
  return (
    <Dialog isOpen title={kind === 'BANNER' ? texts.makeBanner : texts.makePicture} shape="wide" onClose={onClose}>
      <form
        className={styles.make}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isPromptNeeded) make.mutate();
        }}
      >
        <FormField
          name="prompt"
          label={texts.whatItShows}
          maxLength={1000}
          render={<textarea rows={2} />}
          hint={agentId === null ? undefined : texts.emptyDrawnNameDescription(owner.name)}
          value={prompt}
          onValueChange={setPrompt}
        />
        <div className={styles.choices}>
          <SelectField name="style" label={texts.style} value={style} options={styleOptions} onChange={setStyle} />
          <SelectField
            name="count"
            label={texts.drafts}
            value={drafts}
            options={['1', '2', '3', '4'].map((number) => [number, number] as const)}
            onChange={setCount}
          />
          <Button type="submit" variant="primary" isBusy={make.isPending} aria-disabled={isPromptNeeded}>
            {texts.makeDrafts(Number(drafts))}
          </Button>
        </div>
      </form>
      {[make.error, apply.error, remove.error, images.error].find(Boolean) && (
        <ErrorNote error={make.error ?? apply.error ?? remove.error ?? images.error} />
      )}
      <DraftGrid
        kind={kind}
        images={images.data?.images.data ?? []}
        shownUrl={owner.picture?.medium ?? null}
        isBusy={apply.isPending}
        onUse={(id) => apply.mutate(id)}
        onDelete={(id) => remove.mutate(id)}
      />
    </Dialog>
  );
}
