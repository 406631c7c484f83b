import { randomToken } from '../core/crypto.ts';
import type { Ctx } from '../core/ctx.ts';
import type { Image } from './image.entity.ts';

const tokenBytes = 16;

/** Returns a token of 128 random bits: the URL is the only credential for the picture, so it must be unguessable. */
export const newImageToken = (): string => randomToken(tokenBytes);

const insert = {
  name: 'image_insert',
  text: `
    insert into images (id, owner_id, agent_id, kind, source, status, prompt, style, full_prompt, token, folder, placeholder,
      apply_to, apply_over, quota_day, created_at, expires_at, size_bytes)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`,
};

export async function insertImage(tx: Ctx, image: Image): Promise<void> {
  await tx.sql(insert, [
    image.id,
    image.ownerId,
    image.agentId ?? null,
    image.kind,
    image.source,
    image.status,
    image.prompt ?? null,
    image.style ?? null,
    image.fullPrompt ?? null,
    image.token,
    image.folder ?? null,
    image.placeholder ?? null,
    image.applyTo ?? null,
    image.applyOver ?? null,
    image.quotaDay ?? null,
    image.createdAt,
    image.expiresAt ?? null,
    image.sizeBytes,
  ]);
}
