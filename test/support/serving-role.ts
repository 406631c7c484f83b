import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

/** An empty database with two roles, created with the statements from docs/production.md. */
export interface RoleDatabase {
  /** URL of the role that may change the schema, for `npm run migrate`. */
  ownerUrl: string;
  /** URL of the role of the service. */
  url: string;
  drop(): Promise<void>;
}

const block = /```sql roles\n(create role service_owner .+?)```/s;

export async function createRoleDatabase(superuserUrl: string): Promise<RoleDatabase> {
  const id = randomBytes(6).toString('hex');
  const [role, owner] = [`service_${id}`, `owner_${id}`];
  const [servingPassword, ownerPassword] = [randomBytes(12).toString('hex'), randomBytes(12).toString('hex')];
  const [, statements = ''] =
    block.exec(readFileSync(join(import.meta.dirname, '../../docs/production.md'), 'utf8')) ?? [];
  const [inCluster = '', inDatabase = ''] = statements
    .replaceAll(/\bservice_owner\b/g, owner)
    .replaceAll(/\bservice\b/g, role)
    // The production profile refuses the passwords of the documentation.
    .replace(`'one'`, `'${ownerPassword}'`)
    .replace(`'another'`, `'${servingPassword}'`)
    .split(/^\\connect .+$/m);
  const url = (user: string, password: string): string => {
    const made = new URL(superuserUrl);
    return Object.assign(made, { username: user, password, pathname: role }).href;
  };
  const superuser = new URL(superuserUrl);
  await run(superuserUrl, inCluster);
  await run(url(superuser.username, superuser.password), inDatabase);
  const drops = `drop database ${role} with (force); drop role ${role}; drop role ${owner}`;
  return { ownerUrl: url(owner, ownerPassword), url: url(role, servingPassword), drop: () => run(superuserUrl, drops) };
}

async function run(url: string, statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // One by one: several statements in one query are a transaction, which cannot contain `create database`.
    for (const statement of statements.split(';').filter((text) => text.trim())) await client.query(statement);
  } finally {
    await client.end();
  }
}
