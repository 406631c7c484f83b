import type { AuthorFragment } from '../api/generated/operations.ts';
import { fillIn } from '../parts/values/fill-in.tsx';
import { texts } from './texts.ts';

interface AuthorProps {
  creator: AuthorFragment | null;
  isMine: boolean;
}

/** The publisher of an agent. */
export const Author = ({ creator, isMine }: AuthorProps) =>
  isMine ? (
    <>{texts.byYou}</>
  ) : (
    creator && (
      <>{fillIn(texts.by, { value: <bdi title={creator.username}>{creator.displayName ?? creator.username}</bdi> })}</>
    )
  );
