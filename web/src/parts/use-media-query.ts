import { useSyncExternalStore } from 'react';

export const useMediaQuery = (media: string): boolean =>
  useSyncExternalStore(
    (listener) => {
      const list = matchMedia(media);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    () => matchMedia(media).matches,
  );
