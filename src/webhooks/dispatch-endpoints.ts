import type { Ctx } from '../core/ctx.ts';
import { describeError } from '../core/task-errors.ts';
import { createSigner, type Signer, type SigningSecret } from './webhook-signature.ts';
import { openSecret } from './webhook-secrets.ts';

/** Where a webhook's deliveries go and what signs them. */
export interface Endpoint {
  url: string;
  signerAt(now: Date): Signer;
}

/** Endpoints by webhook, each remembered for as long as its row has the same revision. */
export interface Endpoints {
  /**
   * The endpoint at this revision or a newer one; null when the webhook is gone or its secrets can't be read. Lookups of
   * one turn are one statement.
   */
  get(webhookId: string, revision: number): Promise<Endpoint | null> | Endpoint;
}

interface EndpointRow {
  id: string;
  url: string;
  revision: number;
  secret: string;
  secretIsGenerated: boolean;
  previousSecret: string | null;
  previousSecretIsGenerated: boolean | null;
  previousSecretExpiresAt: Date | null;
  olderSecret: string | null;
  olderSecretIsGenerated: boolean | null;
  olderSecretExpiresAt: Date | null;
}

const select = {
  name: 'webhook_endpoints',
  text: `
    select id, url, revision, secret, secret_is_generated as "secretIsGenerated", previous_secret as "previousSecret",
      previous_secret_is_generated as "previousSecretIsGenerated", previous_secret_expires_at as "previousSecretExpiresAt",
      older_secret as "olderSecret", older_secret_is_generated as "olderSecretIsGenerated", older_secret_expires_at as "olderSecretExpiresAt"
    from webhooks where id = any ($1)`,
};

const maxRemembered = 5_000;

export function createEndpoints(newCtx: () => Ctx): Endpoints {
  const remembered = new Map<string, { revision: number; endpoint: Endpoint }>();
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
        remembered.set(row.id, { revision: row.revision, endpoint });
      } catch (error) {
        // The key may have gone that they were encrypted with. Those of the other webhooks can be read.
        ctx.log.error({ error: describeError(error), webhookId: row.id }, 'the secrets of a webhook cannot be read');
      }
    }
    for (const id of remembered.keys()) {
      if (remembered.size <= maxRemembered) break;
      remembered.delete(id);
    }
    return loaded;
  }

  return {
    get: (webhookId, revision) => {
      const known = remembered.get(webhookId);
      if (known && known.revision >= revision) return known.endpoint;
      wanted.add(webhookId);
      loading ??= Promise.resolve().then(load);
      return loading.then((loaded) => loaded.get(webhookId) ?? null);
    },
  };
}

function toEndpoint({ config }: Ctx, row: EndpointRow): Endpoint {
  const open = (sealed: string, isGenerated: boolean | null) => openSecret(config, row.id, sealed, isGenerated ?? true);
  const newest = open(row.secret, row.secretIsGenerated);
  const replaced: { secret: SigningSecret; expiresAt: Date }[] = [];
  for (const [sealed, isGenerated, expiresAt] of [
    [row.previousSecret, row.previousSecretIsGenerated, row.previousSecretExpiresAt],
    [row.olderSecret, row.olderSecretIsGenerated, row.olderSecretExpiresAt],
  ] as const)
    if (sealed && expiresAt) replaced.push({ secret: open(sealed, isGenerated), expiresAt });
  // By how many of them still count: the later one was replaced, the later it expires.
  const secrets = replaced.map(({ secret }) => secret);
  const alone = createSigner(newest, []);
  const signers = secrets.map((_, n) => createSigner(newest, secrets.slice(0, n + 1)));
  return {
    url: row.url,
    signerAt: (now) => signers[replaced.filter(({ expiresAt }) => now < expiresAt).length - 1] ?? alone,
  };
}
