import type { Feature } from '../core/feature.ts';
import { ApiKey } from './api-key.entity.ts';
import { apiKeyExport } from './api-key.export.ts';
import { apiKeyExpiry } from './api-key.expiry.ts';

declare module '../core/ids.ts' {
  interface IdPrefixes {
    key_: 'apiKey';
  }
}

export const apiKeys: Feature = {
  name: 'api-keys',
  entities: [ApiKey],
  idPrefixes: { apiKey: 'key_' },
  expiries: [apiKeyExpiry],
  exportSections: [apiKeyExport],
};
