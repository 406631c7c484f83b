import { Button, type ButtonProps } from './button.tsx';
import { moveFocusOnRemoval } from './focus-after-removal.ts';

/** A button that its action removes, alone or with its row. Its focus moves on. */
export const RemovableButton = (props: ButtonProps) => <Button ref={moveFocusOnRemoval} {...props} />;
