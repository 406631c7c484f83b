import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  OwnProfileDocument,
  type OwnProfileQuery,
  PublicProfileDocument,
  UpdateProfileDocument,
} from '../api/generated/operations.ts';
import { keyOf } from '../api/query.ts';
import { request } from '../api/request.ts';
import { PictureEditor } from '../images/picture-editor.tsx';
import { bannerOwner } from '../images/picture-owner.ts';
import { ErrorNote } from '../parts/lists/error-note.tsx';

/** The banner of the person's own profile. A change applies immediately. */
export function ProfileBanner({
  profile: { username, displayName, bannerUrl },
}: {
  profile: OwnProfileQuery['ownProfile'];
}) {
  const cache = useQueryClient();
  const refresh = (): void => {
    for (const document of [OwnProfileDocument, PublicProfileDocument])
      void cache.invalidateQueries({ queryKey: keyOf(document) });
  };
  const { mutate: remove, error } = useMutation({
    mutationFn: () => request(UpdateProfileDocument, { input: { bannerUrl: null } }),
    onSuccess: refresh,
  });
  return (
    <>
      <PictureEditor
        owner={bannerOwner(null, displayName ?? username, bannerUrl ?? null)}
        onChange={refresh}
        onRemove={() => remove()}
      />
      {error && <ErrorNote error={error} />}
    </>
  );
}
