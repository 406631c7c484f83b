import { type SubmitEvent, useRef, useState } from 'react';
import { type ApiError, asApiError } from '../../api/api-error.ts';

interface Submit {
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
  isBusy: boolean;
  /** An error that concerns no field. */
  failure: ApiError | null;
  /** Errors by field name, for the prop `errors` of `Form`. */
  fieldErrors: Record<string, string>;
}

/** Submits a form's values. Assigns each error to the field that it names, if the form has it. */
export function useSubmit(send: (values: Record<string, string>) => Promise<unknown>): Submit {
  const [isBusy, setBusy] = useState(false);
  // `isBusy` is updated only after the event.
  const isSending = useRef(false);
  const [failure, setFailure] = useState<ApiError | null>(null);
  const [fieldErrors, setFieldErrors] = useState<Record<string, string>>({});
  const onSubmit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (isSending.current) return;
    isSending.current = true;
    const form = event.currentTarget;
    const values = Object.fromEntries(new FormData(form)) as Record<string, string>;
    setBusy(true);
    setFailure(null);
    setFieldErrors({});
    try {
      await send(values);
    } catch (error) {
      const refused = asApiError(error);
      const byField = errorsByField(refused, Object.keys(values));
      setFieldErrors(byField);
      setFailure(Object.keys(byField).length > 0 ? null : refused);
      const first = Object.keys(values).find((name) => name in byField);
      if (first) form.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
    } finally {
      isSending.current = false;
      setBusy(false);
    }
  };
  return { onSubmit: (event) => void onSubmit(event), isBusy, failure, fieldErrors };
}

const takenFields: Readonly<Record<string, string>> = { EMAIL_TAKEN: 'email', USERNAME_TAKEN: 'username' };

function errorsByField({ code, message, details }: ApiError, fields: readonly string[]): Record<string, string> {
  const taken = takenFields[code];
  if (taken && fields.includes(taken)) return { [taken]: message };
  const byField: Record<string, string> = {};
  for (const detail of details) {
    const name = nameOf(detail.field, fields);
    if (name !== undefined) byField[name] ??= detail.message;
  }
  return byField;
}

/** `input.name`, `new_password` and `events[0]` belong to `name`, `newPassword` and `events`. */
const nameOf = (path: string, fields: readonly string[]): string | undefined => {
  const last = path.split('.').at(-1)?.replace(/\[.*$/, '') ?? '';
  const camel = last.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
  return fields.find((name) => name === camel);
};
