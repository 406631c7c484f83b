import { expect, test } from 'vitest';
import { readConfig } from '../../src/app/config.ts';

test.each([
  ['WEBHOOK_RETRY_DELAYS', '10,999999999999', 'each must be at most 604800 (a week)'],
  ['UPSTREAM_TIMEOUTS', '60000,0', 'each must be from 1 to 3600000 (an hour)'],
  ['UPSTREAM_TIMEOUTS', '99999999999,60000', 'each must be from 1 to 3600000 (an hour)'],
])('%s=%s, with which nothing would work, fails the startup', (name, value, allowed) => {
  expect(() => readConfig({ [name]: value })).toThrow(`${name}: ${allowed}`);
});
