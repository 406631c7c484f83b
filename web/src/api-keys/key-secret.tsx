import { CodeBox } from '../parts/code-box.tsx';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import { texts } from './texts.ts';

/** Shows a key, which is possible only once, with a command that uses it. */
export const KeySecret = ({ secret, onStored }: { secret: string; onStored: () => void }) => (
  <SecretDialog
    title={texts.storeKey}
    description={texts.shownOnlyNowWho}
    label={texts.key}
    secret={secret}
    onStored={onStored}
  >
    <CodeBox
      label={texts.command}
      text={`curl ${location.origin}/v1/agents \\\n  -H "Authorization: Bearer ${secret}"`}
    />
  </SecretDialog>
);
