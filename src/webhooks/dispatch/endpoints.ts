import type { Ctx } from '../../core/ctx.ts';
import { columnsOf } from '../../core/database/columns-of.ts';
import { describeError } from '../../core/tasks/task-errors.ts';
import { createSigner, type Signer } from './webhook-signature.ts';
import { Webhook } from '../webhook.entity.ts';
import { openSecret } from '../webhook-secrets.ts';

/** The target of a webhook's deliveries and its signer. */
export interface Endpoint {
  url: string;
  signerAt(now: Date): Signer;
}

/** A cache of endpoints by webhook. An entry is valid for one revision of the webhook's row. */
export interface EndpointCache {
  /**
   * Returns the endpoint at this revision or a newer one, or null if the webhook was deleted or its secrets cannot be
   * decrypted. Lookups in the same turn of the event loop share one statement.
   */
  get(webhookId: string, revision: number): Promise<Endpoint | null> | Endpoint;
}

const columns = [
  'id',
  'url',
  'revision',
  'secret',
  'previousSecret',
  'previousSecretExpiresAt',
  'olderSecret',
  'olderSecretExpiresAt',
] as const;

type EndpointRow = Pick<Webhook, (typeof columns)[number]>;

const select = {
  name: 'webhook_endpoints',
  text: `select ${columnsOf(Webhook, 'w', { only: columns })} from webhooks w where id = any ($1) and deleted_at is null`,
};

const maxCached = 5_000;

export function createEndpointCache(newCtx: () => Ctx): EndpointCache {
  const cached = new Map<string, { revision: number; endpoint: Endpoint }>();
  let wanted = new Set<string>();
  let loading: Promise<Map<string, Endpoint>> | undefined;

  async function load(): Promise<Map<string, Endpoint>> {
    const ids = [...wanted];
    wanted = new Set();
    loading = undefined;
    const ctx = newCtx();
    const loaded = new Map<string, Endpoint>();
    for (const row of await ctx.sql<EndpointRow>(select, [ids])) {
      try {
        const endpoint = toEndpoint(ctx, row);
        loaded.set(row.id, endpoint);
        cached.set(row.id, { revision: row.revision, endpoint });
      } catch (error) {
        // The encryption key may be missing. Other webhooks are not affected.
        ctx.log.error({ error: describeError(error), webhookId: row.id }, 'could not decrypt the secrets of a webhook');
      }
    }
    for (const id of cached.keys()) {
      if (cached.size <= maxCached) break;
      cached.delete(id);
    }
    return loaded;
  }

  return {
    get: (webhookId, revision) => {
      const known = cached.get(webhookId);
      if (known && known.revision >= revision) return known.endpoint;
      wanted.add(webhookId);
      loading ??= Promise.resolve().then(load);
      return loading.then((loaded) => loaded.get(webhookId) ?? null);
    },
  };
}

function toEndpoint({ config }: Ctx, row: EndpointRow): Endpoint {
  const newest = openSecret(config, row.id, row.secret);
  const replaced: { secret: string; expiresAt: Date }[] = [];
  for (const [sealed, expiresAt] of [
    [row.previousSecret, row.previousSecretExpiresAt],
    [row.olderSecret, row.olderSecretExpiresAt],
  ] as const)
    if (sealed && expiresAt) replaced.push({ secret: openSecret(config, row.id, sealed), expiresAt });
  const secrets = replaced.map(({ secret }) => secret);
  const alone = createSigner(newest, []);
  const signers = secrets.map((_, n) => createSigner(newest, secrets.slice(0, n + 1)));
  return {
    url: row.url,
    signerAt: (now) => signers[replaced.filter(({ expiresAt }) => now < expiresAt).length - 1] ?? alone,
  };
}
