import { ErrorNote } from './error-note.tsx';

const show = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' });

/** The error of a long form. It scrolls into view, because the form may be scrolled far from it. */
export const FormError = ({ error }: { error: unknown }) => (
  <div ref={show}>
    <ErrorNote error={error} />
  </div>
);
