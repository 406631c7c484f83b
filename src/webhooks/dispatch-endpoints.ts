import type { Ctx } from '../core/ctx.ts';
import { createSigner, type Signer } from './webhook-signature.ts';
import { openSecret } from './webhook-secrets.ts';

/** Where a webhook's deliveries go and what signs them. */
export interface Endpoint {
  url: string;
  signerAt(now: Date): Signer;
}

/** Endpoints by webhook, each remembered for as long as its row has the same revision. */
export interface Endpoints {
  /** The endpoint at this revision or a newer one; null when the webhook is gone. Lookups of one turn are one statement. */
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
}

const select = {
  name: 'webhook_endpoints',
  text: `
    select id, url, revision, secret, secret_is_generated as "secretIsGenerated", previous_secret as "previousSecret",
      previous_secret_is_generated as "previousSecretIsGenerated", previous_secret_expires_at as "previousSecretExpiresAt"
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
      const endpoint = toEndpoint(ctx, row);
      loaded.set(row.id, endpoint);
      remembered.set(row.id, { revision: row.revision, endpoint });
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
  const newest = openSecret(config, row.id, row.secret, row.secretIsGenerated);
  const alone = createSigner(newest, null);
  const { previousSecret, previousSecretExpiresAt } = row;
  if (!previousSecret || !previousSecretExpiresAt) return { url: row.url, signerAt: () => alone };
  const previous = openSecret(config, row.id, previousSecret, row.previousSecretIsGenerated ?? true);
  const both = createSigner(newest, previous);
  return { url: row.url, signerAt: (now) => (now < previousSecretExpiresAt ? both : alone) };
}
