import { Maximize2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { Dialog } from '../parts/layers/dialog.tsx';
import { FormField } from '../parts/controls/form-field.tsx';
import { IconButton } from '../parts/controls/icon-button.tsx';
import { texts } from './texts.ts';
import styles from './agents.module.css';

const maximumCharacters = 32_000;

/** The instructions, with a full-window editor. */
export function InstructionsField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [isFull, setFull] = useState(false);
  const wide = useRef<HTMLTextAreaElement>(null);
  const hint = texts.charactersOf([...value].length, maximumCharacters);
  return (
    <>
      <FormField
        label={texts.instructions}
        name="instructions"
        required
        render={<textarea className={styles.mono} />}
        hint={hint}
        aside={
          <IconButton size="small" label={texts.fullScreen} onClick={() => setFull(true)}>
            <Maximize2 size={16} />
          </IconButton>
        }
        value={value}
        onValueChange={onChange}
      />
      <Dialog
        isOpen={isFull}
        shape="full"
        title={texts.instructions}
        description={hint}
        initialFocus={wide}
        onClose={() => setFull(false)}
      >
        <textarea
          ref={wide}
          className={styles.fullText}
          dir="auto"
          aria-label={texts.instructions}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      </Dialog>
    </>
  );
}
