import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Operations that remove something and for which NOT_FOUND is an error, with the reason. */
const refusable: Readonly<Record<string, string>> = {
  DeleteMe: 'its response says until when the account can be restored',
  RemoveAgentPicture: 'the agent is gone, not only its picture',
  RemoveMyPicture: 'the account always exists',
};

const sources = readdirSync('web/src', { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => readFileSync(`web/src/${path}`, 'utf8'));

test('what is removed may be gone already, except where a reason is stated', () => {
  const sent = sources.flatMap((source) =>
    Array.from(source.matchAll(/\brequest\(\s*((?:Delete|Remove|Revoke|Leave)\w+)Document\b/g), ([, name]) => name),
  );
  expect(sent.toSorted()).toEqual(Object.keys(refusable));
});
