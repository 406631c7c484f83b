import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { MeDocument, MyPictureDocument, RemoveMyPictureDocument } from '../api/generated/operations.ts';
import { keyOf, query } from '../api/query.ts';
import { request } from '../api/request.ts';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { notify } from '../parts/layers/toast-store.ts';
import { PictureEditor } from './picture-editor.tsx';
import { texts } from './texts.ts';

/** The picture of the person. A change applies immediately, not when the form is saved. */
export function ProfilePicture() {
  const cache = useQueryClient();
  const { data } = useQuery(query(MyPictureDocument, {}));
  const refresh = (): void => {
    for (const document of [MyPictureDocument, MeDocument]) void cache.invalidateQueries({ queryKey: keyOf(document) });
  };
  const { mutate: remove, error } = useMutation({
    mutationFn: () => request(RemoveMyPictureDocument, {}),
    onSuccess: () => {
      refresh();
      notify(texts.pictureRemoved);
    },
  });
  if (!data) return null;
  const name = data.me.displayName ?? data.me.username;
  return (
    <>
      <PictureEditor
        owner={{ kind: 'AVATAR', agentId: null, name, picture: data.me.picture }}
        onChange={refresh}
        onRemove={() => remove()}
      />
      {error && <ErrorNote error={error} />}
    </>
  );
}
