import { type ComponentProps, createContext, useContext, useState } from 'react';

type Errors = Readonly<Record<string, string>>;

const none: Errors = {};
const FormErrors = createContext<Errors>(none);

/** A form whose fields each show their error from the service. */
export const Form = ({ errors = none, ...props }: ComponentProps<'form'> & { errors?: Errors | undefined }) => (
  <FormErrors value={errors}>
    <form {...props} />
  </FormErrors>
);

/** Returns the error of a field until its value changes. */
export function useFieldError(name: string): { error: string | undefined; dismiss: () => void } {
  const errors = useContext(FormErrors);
  const [dismissed, setDismissed] = useState<Errors>(none);
  return { error: errors === dismissed ? undefined : errors[name], dismiss: () => setDismissed(errors) };
}
