import { useMemo } from 'react';
import { languages } from './languages.ts';
import { texts } from './texts.ts';

interface Props {
  value: string | undefined;
  onChange: (language: string | undefined) => void;
}

/** Chooses the language of the listed agents. */
export function LanguageSelect({ value, onChange }: Props) {
  const offered = useMemo(() => languages(), []);
  return (
    <select
      aria-label={texts.language}
      value={value ?? ''}
      onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
    >
      <option value="">{texts.anyLanguage}</option>
      {offered.map(([code, name]) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </select>
  );
}
