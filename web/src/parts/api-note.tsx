import { useState } from 'react';
import { Button } from './button.tsx';
import { CodeBox } from './code-box.tsx';
import { common } from './common-texts.ts';
import { fillIn } from './fill-in.tsx';
import { shellQuoted } from './shell-quoted.ts';
import { texts } from './texts.ts';
import styles from './api-note.module.css';

interface ApiNoteProps {
  /** Tag of the OpenAPI document whose section does the same. */
  tag: string;
  /** Path below the origin, such as `/v1/webhooks`. */
  path: string;
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** JSON of the body. */
  body?: object;
}

/** The same with the API: a ready command and the section of the reference. Closed until it is asked for. */
export function ApiNote({ tag, path, method = 'GET', body }: ApiNoteProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section className={styles.note}>
      <Button size="small" variant="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {texts.sameApi}
      </Button>
      {isOpen && (
        <div className={styles.body}>
          <CodeBox label={texts.command} text={curlOf(method, path, body)} />
          <p>
            {fillIn(texts.setApiKeys, {
              key: <code>{texts.key}</code>,
              link: <a href={`/docs#tag/${tag}`}>{common.apiReference}</a>,
            })}
          </p>
        </div>
      )}
    </section>
  );
}

function curlOf(method: string, path: string, body: object | undefined): string {
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}${location.origin}${path}`];
  lines.push(`-H "Authorization: Bearer $KEY"`);
  if (body) lines.push(`-H 'Content-Type: application/json'`, `-d ${shellQuoted(JSON.stringify(body))}`);
  return lines.join(' \\\n  ');
}
