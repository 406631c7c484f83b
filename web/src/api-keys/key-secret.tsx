import type { ComponentProps } from 'react';
import type { CreateApiKeyMutation } from '../api/generated/operations.ts';
import { CodeBox } from '../parts/values/code-box.tsx';
import { SecretDialog } from '../parts/layers/secret-dialog.tsx';
import { readablePath } from './scopes.ts';
import { texts } from './texts.ts';

export type CreatedKey = CreateApiKeyMutation['createApiKey'];

interface KeySecretProps extends Pick<ComponentProps<typeof SecretDialog>, 'finalFocus' | 'onStored'> {
  created: CreatedKey;
}

/** Shows a key, which is possible only once, with a command that uses it. */
export const KeySecret = ({ created: { key, scopes }, ...props }: KeySecretProps) => (
  <SecretDialog title={texts.storeKey} description={texts.shownOnlyNowWho} label={texts.key} secret={key} {...props}>
    <CodeBox
      label={texts.command}
      text={`curl ${location.origin}${readablePath(scopes)} \\\n  -H "Authorization: Bearer ${key}"`}
    />
  </SecretDialog>
);
