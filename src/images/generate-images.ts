import { owns } from '../core/actor.ts';
import { callerId } from '../accounts/caller.ts';
import { type Agent } from '../agents/agent.entity.ts';
import { getAgent } from '../agents/agents.ts';
import type { Ctx } from '../core/ctx.ts';
import { inTransaction } from '../core/database/transaction.ts';
import { notFound } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { parseInput } from '../core/input.ts';
import { requireAllowedText } from '../moderation/require-allowed.ts';
import { requireUnrestricted } from '../moderation/restrictions.ts';
import { type ImageTarget, lockTarget, requireApplyScope } from './apply-image.ts';
import type { Image } from './image.entity.ts';
import { generateImagesInput } from './image.input.ts';
import { fullPromptOf } from './image-prompt.ts';
import { enforceKeptLimit, reserveImages } from './image-quota.ts';
import { insertImage, newImageToken } from './insert-image.ts';
import { startWaiting } from './start-waiting.ts';

/**
 * Accepts a request to generate images. They are charged to the daily quota immediately, and two images of an account
 * are generated concurrently. Checks the prompt first, which is a network call.
 * @throws AppError `invalid_request`, also with the detail `content_refused`; `not_found`, `plan_limit_exceeded`,
 * `forbidden` for a restricted account, `rate_limited` when the daily quota is used up, `unavailable` when prompts
 * cannot be checked
 */
export async function generateImages(ctx: Ctx, input: unknown): Promise<Image[]> {
  const { kind, style = null, agentId = null, count, apply, ...given } = parseInput(generateImagesInput, input);
  const prompt = given.prompt || null;
  const agent = agentId === null ? null : await getOwnAgent(ctx, agentId);
  const target: ImageTarget | null = apply ? { agentId } : null;
  const applyTo = agentId === null ? 'profile' : 'agent';
  if (target) requireApplyScope(ctx, target);
  await requireUnrestricted(ctx);
  const promptOf = (draft: number): string => fullPromptOf({ kind, style, prompt, agent, draft, count });
  // Checks the whole prompt, because the name and description of an agent are user content too.
  await requireAllowedText(ctx, prompt === null ? 'agentId' : 'prompt', promptOf(1));
  return inTransaction(ctx, async (tx) => {
    const plan = await enforceKeptLimit(tx, count);
    const quotaDay = await reserveImages(tx, plan, count);
    const applyOver = target ? await lockTarget(tx, kind, target) : null;
    const images: Image[] = [];
    for (let draft = 1; draft <= count; draft++) {
      const image: Image = {
        id: newId('img_'),
        ownerId: callerId(tx),
        agentId,
        kind,
        source: 'generated',
        status: 'processing',
        prompt,
        style,
        fullPrompt: promptOf(draft),
        token: newImageToken(),
        folder: null,
        placeholder: null,
        sizeBytes: 0,
        errorCode: null,
        errorMessage: null,
        applyTo: apply ? applyTo : null,
        applyOver,
        quotaDay,
        startedAt: null,
        createdAt: tx.clock.now(),
        moderationState: 'ok',
        expiresAt: null,
      };
      await insertImage(tx, image);
      images.push(image);
    }
    await startWaiting(tx, callerId(tx));
    return images;
  });
}

/** Returns one of the caller's agents. @throws AppError `not_found` for any other agent */
export async function getOwnAgent(ctx: Ctx, agentId: string): Promise<Agent> {
  const agent = await getAgent(ctx, agentId);
  if (!owns(ctx.actor, agent.ownerId)) throw notFound();
  return agent;
}
