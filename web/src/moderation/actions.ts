import type { ModerationAction } from '../api/generated/operations.ts';
import type { CaseFile } from './case-file.ts';
import { texts } from './texts.ts';

type Choice = readonly [action: ModerationAction, label: string, effect: string];

/** Effect of a removal, for subjects where it does more than hide. */
const removeEffects: Readonly<Record<string, string>> = {
  ROOM: texts.removeRoomEffect,
  ROOM_MESSAGE: texts.removeMessageEffect,
};
/** Subject types that lists or feeds show. A hold removes them from there. */
const held = new Set(['AGENT', 'REVIEW', 'SHARE', 'IMAGE']);

/** Returns the decisions that would change the state of a case, and always the one that dismisses it. */
export function offeredActions({ case: found, subject, decisions }: CaseFile): Choice[] {
  const { subjectType, author, appealedAt } = found;
  const state = subject?.state;
  const isRestricted = decisions.some(({ action }) => action === 'RESTRICT_AUTHOR');
  const isChanged = state !== 'ok' || isRestricted;
  const choices: (Choice | false)[] = [
    ['NONE', texts.nothing, nothingEffect(appealedAt, decisions)],
    state === 'ok' && held.has(subjectType) && ['HOLD', texts.hold, texts.holdEffect],
    state !== undefined &&
      state !== 'removed' && ['REMOVE', texts.remove, removeEffects[subjectType] ?? texts.removeEffect],
    isChanged && restoreChoice(subjectType, state),
    author ? ['RESTRICT_AUTHOR', texts.restrict, texts.restrictEffect] : false,
  ];
  return choices.filter((choice) => choice !== false);
}

function nothingEffect(appealedAt: CaseFile['case']['appealedAt'], decisions: CaseFile['decisions']): string {
  if (appealedAt) return texts.nothingOnAppealEffect;
  const last = decisions.find(({ action }) => action !== 'RESTRICT_AUTHOR');
  return last?.automated && last.action === 'HOLD' ? texts.nothingOnHoldEffect : texts.nothingEffect;
}

function restoreChoice(type: string, state: string | undefined): Choice {
  const isGone = state === undefined || (type === 'ROOM_MESSAGE' && state === 'removed');
  if (state === 'in_review') return ['RESTORE', texts.approve, texts.approveEffect];
  return ['RESTORE', texts.restore, isGone ? texts.restoreGoneEffect : texts.restoreEffect];
}
