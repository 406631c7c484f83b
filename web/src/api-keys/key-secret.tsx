import type { ComponentProps } from 'react';
import { CodeBox } from '../parts/values/code-box.tsx';
import { SecretDialog } from '../parts/layers/secret-dialog.tsx';
import { texts } from './texts.ts';

/** Shows a key, which is possible only once, with a command that uses it. */
export const KeySecret = (props: Pick<ComponentProps<typeof SecretDialog>, 'secret' | 'finalFocus' | 'onStored'>) => (
  <SecretDialog title={texts.storeKey} description={texts.shownOnlyNowWho} label={texts.key} {...props}>
    <CodeBox
      label={texts.command}
      text={`curl ${location.origin}/v1/agents \\\n  -H "Authorization: Bearer ${props.secret}"`}
    />
  </SecretDialog>
);
