import { CodeBox } from '../values/code-box.tsx';
import { common } from '../common-texts.ts';
import { fillIn } from '../values/fill-in.tsx';
import { shellQuoted } from '../values/shell-quoted.ts';
import { texts } from '../texts.ts';
import styles from './api-note.module.css';

export interface ApiCall {
  /** Tag of the OpenAPI document, for the link to its section of the reference. */
  tag: string;
  /** Path below the origin, such as `/v1/webhooks`. */
  path: string;
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** JSON body. */
  body?: object;
  /** Whether the route needs an access token from a login and rejects API keys. */
  isForSession?: boolean;
}

/** A command that does the same as the screen through the API, with a link to the reference. */
export const ApiCommand = ({ tag, path, method = 'GET', body, isForSession = false }: ApiCall) => (
  <div className={styles.body}>
    <CodeBox label={texts.command} text={curlOf(method, path, body, isForSession ? texts.token : texts.key)} />
    <p>
      {fillIn(isForSession ? texts.setAccessToken : texts.setApiKeys, {
        key: <code>{isForSession ? texts.token : texts.key}</code>,
        link: <a href={`/docs#tag/${tag}`}>{common.apiReference}</a>,
      })}
    </p>
  </div>
);

function curlOf(method: string, path: string, body: object | undefined, credential: string): string {
  const url = `${location.origin}${path}`;
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}${path.includes('?') ? shellQuoted(url) : url}`];
  lines.push(`-H "Authorization: Bearer $${credential}"`);
  if (body) lines.push(`-H 'Content-Type: application/json'`, `-d ${shellQuoted(JSON.stringify(body))}`);
  return lines.join(' \\\n  ');
}
