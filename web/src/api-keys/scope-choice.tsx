import type { Scope } from '../api/generated/operations.ts';
import { Button } from '../parts/controls/button.tsx';
import { useFieldError } from '../parts/controls/form.tsx';
import { areas, presets, scopes as allScopes } from './scopes.ts';
import { texts } from './texts.ts';
import styles from './api-keys.module.css';

interface ScopeChoiceProps {
  chosen: readonly Scope[];
  onChange: (chosen: readonly Scope[]) => void;
}

/** Checkboxes for the scopes of a key, grouped by area, with presets. */
export function ScopeChoice({ chosen, onChange }: ScopeChoiceProps) {
  const { error, dismiss } = useFieldError('scopes');
  const choose = (scopes: readonly Scope[]): void => {
    dismiss();
    onChange(scopes);
  };
  const set = (scope: Scope, isOn: boolean): void =>
    choose(allScopes.filter((one) => (one === scope ? isOn : chosen.includes(one))));
  return (
    <fieldset className={styles.fieldset} aria-describedby={error ? 'scopes-error' : undefined}>
      <legend>{texts.scopes}</legend>
      <div className={styles.presets}>
        {presets.map(([label, preset]) => (
          <Button key={label} size="small" onClick={() => choose(preset)}>
            {label}
          </Button>
        ))}
      </div>
      <ul>
        {areas.map(([area, own]) => (
          <li key={area}>
            <span>{area}</span>
            {own.map(({ scope, verb }) => (
              <label key={scope}>
                <input
                  type="checkbox"
                  name="scopes"
                  aria-label={`${area}: ${verb}`}
                  checked={chosen.includes(scope)}
                  onChange={({ target }) => set(scope, target.checked)}
                />
                {verb}
              </label>
            ))}
          </li>
        ))}
      </ul>
      {error && (
        <p id="scopes-error" className={styles.error}>
          {chosen.length === 0 ? texts.chooseScope : error}
        </p>
      )}
    </fieldset>
  );
}
