import { useQuery } from '@tanstack/react-query';
import { MeDocument } from '../api/generated/operations.ts';
import { query } from '../api/query.ts';
import { useSignedIn } from '../api/use-signed-in.ts';

/** Whether the signed-in person is a moderator. */
export function useModerator(): boolean {
  const isSignedIn = useSignedIn();
  const { data } = useQuery({ ...query(MeDocument, {}), enabled: isSignedIn });
  return isSignedIn && data?.me.isModerator === true;
}
