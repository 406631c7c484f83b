import { useMemo } from 'react';
import { asApiError, type FieldError } from '../../api/api-error.ts';
import { useSingleMutation } from './use-single-mutation.ts';

/** Saves a form, one request at a time. Assigns errors to the form's fields and focuses the first invalid one. */
export function useSave(run: () => Promise<unknown>, onDone?: () => void) {
  const { mutate, isPending, error, isSuccess } = useSingleMutation({
    // Without the result, which can contain a secret, because the cache keeps it.
    mutationFn: async () => void (await run()),
    onSuccess: () => onDone?.(),
  });
  // One object for each failure: a form counts an error as seen by it.
  const errors = useMemo(() => errorsByField(error ? asApiError(error).details : []), [error]);
  return {
    save: (form?: HTMLFormElement): void => {
      mutate(undefined, {
        onError: (failure) => {
          const refused = Object.keys(errorsByField(asApiError(failure).details));
          const fields = [...(form?.querySelectorAll<HTMLInputElement>('[name]') ?? [])];
          const field = fields.find(({ name }) => refused.includes(name));
          field?.focus();
          // The focus scrolls only the caret of a text area into view.
          field?.scrollIntoView({ block: 'nearest' });
        },
      });
    },
    isPending,
    isSuccess,
    /** An error that concerns no field. */
    error: Object.keys(errors).length === 0 ? error : null,
    errors,
  };
}

/** `input.limits.perDay` belongs to the field `perDay`, `allowedOrigins[1]` to `allowedOrigins`. */
const errorsByField = (details: readonly FieldError[]): Record<string, string> =>
  Object.fromEntries(
    details.map(({ field, message }) => [
      field
        .replace(/\[\d+\]$/, '')
        .split('.')
        .at(-1) ?? '',
      message,
    ]),
  );
