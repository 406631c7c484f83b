import { useRef } from 'react';
import { Button, type ButtonProps } from './button.tsx';
import { useFocusAfterUnmount } from './use-focus-after-removal.ts';

/** A button that its action removes, alone or with its row. Its focus moves on. */
export function RemovableButton(props: ButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  useFocusAfterUnmount(button);
  return <Button ref={button} {...props} />;
}
