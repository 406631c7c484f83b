import { useState } from 'react';
import { Button } from '../parts/controls/button.tsx';
import { CodeBox } from '../parts/values/code-box.tsx';
import { SecretDialog } from '../parts/layers/secret-dialog.tsx';
import { texts } from './texts.ts';
import styles from './webhooks.module.css';

const snippets: readonly (readonly [language: string, code: string])[] = [
  [
    'Node',
    `import { createHmac, timingSafeEqual } from 'node:crypto';

function isFromService(rawBody, headers, secret) {
  const expected = createHmac('sha256', secret).update(rawBody).digest();
  const given = Buffer.from(headers['x-agent-signature'] ?? '', 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}`,
  ],
  [
    'Python',
    `import hashlib, hmac

def is_from_service(raw_body: bytes, headers, secret: str) -> bool:
    expected = hmac.new(secret.encode(), raw_body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(headers.get("x-agent-signature", ""), expected)`,
  ],
  [
    'Go',
    `func isFromService(rawBody []byte, header http.Header, secret string) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(rawBody)
	given, err := hex.DecodeString(header.Get("X-Agent-Signature"))
	return err == nil && hmac.Equal(given, mac.Sum(nil))
}`,
  ],
];

/** Shows the secret of a webhook, which is possible only once, with code that verifies signatures. */
export function WebhookSecret({ secret, onStored }: { secret: string; onStored: () => void }) {
  const [language, setLanguage] = useState('Node');
  const code = snippets.find(([name]) => name === language)?.[1] ?? '';
  return (
    <SecretDialog
      title={texts.storeSecret}
      description={texts.shownOnlyNowEvery}
      label={texts.secret}
      secret={secret}
      onStored={onStored}
    >
      <div className={styles.languages} role="group" aria-label={texts.language}>
        {snippets.map(([name]) => (
          <Button key={name} size="small" aria-pressed={name === language} onClick={() => setLanguage(name)}>
            {name}
          </Button>
        ))}
      </div>
      <CodeBox label={texts.verification} text={code} />
    </SecretDialog>
  );
}
