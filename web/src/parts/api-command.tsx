import { CodeBox } from './code-box.tsx';
import { common } from './common-texts.ts';
import { fillIn } from './fill-in.tsx';
import { shellQuoted } from './shell-quoted.ts';
import { texts } from './texts.ts';
import styles from './api-note.module.css';

export interface ApiCall {
  /** Tag of the OpenAPI document whose section does the same. */
  tag: string;
  /** Path below the origin, such as `/v1/webhooks`. */
  path: string;
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** JSON of the body. */
  body?: object;
}

/** A command that does with the API what a screen does, and the section of the reference. */
export const ApiCommand = ({ tag, path, method = 'GET', body }: ApiCall) => (
  <div className={styles.body}>
    <CodeBox label={texts.command} text={curlOf(method, path, body)} />
    <p>
      {fillIn(texts.setApiKeys, {
        key: <code>{texts.key}</code>,
        link: <a href={`/docs#tag/${tag}`}>{common.apiReference}</a>,
      })}
    </p>
  </div>
);

function curlOf(method: string, path: string, body: object | undefined): string {
  const url = `${location.origin}${path}`;
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}${path.includes('?') ? shellQuoted(url) : url}`];
  lines.push(`-H "Authorization: Bearer $KEY"`);
  if (body) lines.push(`-H 'Content-Type: application/json'`, `-d ${shellQuoted(JSON.stringify(body))}`);
  return lines.join(' \\\n  ');
}
