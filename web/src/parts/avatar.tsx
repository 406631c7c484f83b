import { useState } from 'react';
import { ownPath } from './own-path.ts';
import styles from './avatar.module.css';

interface AvatarProps {
  name: string;
  size?: number;
  /** Determines the colour instead of the name. */
  seed?: string | null;
  /** Sizes of the stored picture. Without one, or when it fails to load, the initial is shown. */
  picture?: { small: string; medium: string } | null | undefined;
}

/** A picture, or the initial of a name on a muted colour that depends on the name. */
export function Avatar({ name, size = 28, seed, picture }: AvatarProps) {
  const url = picture && ownPath(size > 40 ? picture.medium : picture.small);
  const [missing, setMissing] = useState('');
  return (
    <span
      aria-hidden="true"
      className={styles.avatar}
      data-hue={hueOf(seed ?? name)}
      style={{ inlineSize: size, blockSize: size, fontSize: size * 0.42 }}
    >
      {url && url !== missing ? (
        <img src={url} alt="" width={size} height={size} loading="lazy" onError={() => setMissing(url)} />
      ) : (
        initialOf(name)
      )}
    </span>
  );
}

const hues = 6;
const initialOf = (name: string): string => [...name.trim()][0]?.toUpperCase() ?? '?';
/** Returns the index of a muted colour for a text. */
export const hueOf = (name: string): number =>
  [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % hues;
