import { useQuery } from '@tanstack/react-query';
import { fetchAuthorized } from '../api/request.ts';
import { ownPath } from '../parts/own-path.ts';
import type { CaseFile } from './case-file.ts';
import { texts } from './texts.ts';
import styles from './moderation.module.css';

type Picture = Pick<NonNullable<CaseFile['subject']>, 'imageUrl' | 'pictureUrl'>;

/** The picture of a case. One stored by this service may be private, so it is fetched with the moderator's session. */
export function SubjectPicture({ imageUrl, pictureUrl }: Picture) {
  if (pictureUrl) return <StoredPicture path={ownPath(pictureUrl)} />;
  return imageUrl && <img className={styles.picture} src={ownPath(imageUrl)} alt="" />;
}

function StoredPicture({ path }: { path: string }) {
  const { data, isError } = useQuery({
    queryKey: ['case-picture', path],
    queryFn: async ({ signal }) => (await fetchAuthorized(path, { signal })).blob(),
    // Each read is recorded as an access, so the picture is fetched once per visit.
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  if (isError) return <p className={styles.hint}>{texts.noPicture}</p>;
  return data ? <img className={styles.picture} ref={showing(data)} alt={texts.reportedPicture} /> : null;
}

const showing = (content: Blob) => (image: HTMLImageElement) => {
  const url = URL.createObjectURL(content);
  image.src = url;
  return () => URL.revokeObjectURL(url);
};
