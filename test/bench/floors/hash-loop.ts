import { hash, verify } from '@node-rs/argon2';
import { readJson } from './caller.ts';
import { listen } from './listen.ts';

// The minimum of a login: one password compared with its hash.

const settings = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const known = await hash(process.env['PASSWORD'] ?? '', settings);

listen((request, response) => {
  readJson(request)
    .then(async ({ password }) => verify(known, String(password)))
    .then((isRight) => response.writeHead(isRight ? 200 : 401).end(isRight ? 'access_token' : ''))
    .catch(() => response.destroy());
});
