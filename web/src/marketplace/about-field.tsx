import { useState } from 'react';
import { Markdown } from '../chat/markdown/markdown.tsx';
import { Button } from '../parts/controls/button.tsx';
import { FormField } from '../parts/controls/form-field.tsx';
import { texts } from './texts.ts';
import styles from './marketplace.module.css';

const maximumCharacters = 4_000;

/** Editor of an agent's description: Markdown or a preview. */
export function AboutField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [isShown, setShown] = useState(false);
  return (
    <div className={styles.group}>
      <FormField
        name="about"
        label={texts.about}
        hint={texts.aboutHint([...value].length, maximumCharacters)}
        render={<textarea rows={10} />}
        aside={
          <Button size="small" variant="quiet" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
            {isShown ? texts.hidePreview : texts.preview}
          </Button>
        }
        value={value}
        onValueChange={onChange}
      />
      {isShown && (
        <div className={styles.panel} role="region" aria-label={texts.preview}>
          {value.trim() === '' ? (
            <p className={styles.hint}>{texts.nothingToPreview}</p>
          ) : (
            <Markdown key={value} text={value} isComplete />
          )}
        </div>
      )}
    </div>
  );
}
