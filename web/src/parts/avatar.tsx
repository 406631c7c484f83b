import { useState } from 'react';
import { ownPath } from './own-path.ts';
import styles from './avatar.module.css';

interface AvatarProps {
  name: string;
  size?: number;
  /** What the colour depends on, instead of the name. */
  seed?: string | null;
  /** As the service shows it; without one, or when it is gone, the name draws a picture. */
  picture?: { small: string; medium: string } | null | undefined;
}

/** A picture, or else the initial of a name on a calm colour that depends on the name. */
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
/** The number of a calm colour for a text. */
export const hueOf = (name: string): number =>
  [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % hues;
