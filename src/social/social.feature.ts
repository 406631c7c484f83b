import type { Feature } from '../core/feature.ts';
import { Activity } from './activities/activity.entity.ts';
import { ageActivities, notePublished } from './activities/activities.ts';
import { AgentLikeCount } from './counters/agent-like-count.entity.ts';
import { aggregateNotes } from './counters/aggregate.ts';
import { CounterNote } from './counters/counter-note.entity.ts';
import { sendNotices } from './counters/notices.ts';
import { recountSocial } from './counters/recount.ts';
import { SocialRecount } from './counters/social-recount.entity.ts';
import { profileBanners } from './profile-banners.ts';
import { reportableUser } from './profile.moderation.ts';
import { showsMatureAgents } from './profiles.ts';
import { Profile } from './profile.entity.ts';
import { Follow } from './relations/follow.entity.ts';
import { Like } from './relations/like.entity.ts';
import { Mute } from './relations/mute.entity.ts';
import { copyShared, endCopy } from './shares/continue-share.ts';
import { reportableShare } from './shares/share.moderation.ts';
import { Share } from './shares/share.entity.ts';
import { SocialDay } from './social-day.entity.ts';
import { socialEvents } from './social.events.ts';
import { socialExport } from './social.export.ts';
import { socialGauges } from './social.gauges.ts';
import { purgeSocial, revokedShareExpiry, removeSocialOfAgent } from './social.purge.ts';
import { dayExpiry } from './write-limits.ts';

declare module '../core/ids.ts' {
  interface IdPrefixes {
    shr_: 'share';
    act_: 'activity';
  }
}

declare module '../core/tasks/tasks.ts' {
  interface TaskPayloads {
    'social.aggregate': object;
    'social.recount': object;
    'social.age-activities': object;
    'share.copy': { conversationId: string };
  }
}

const dayMs = 86_400_000;

export const social: Feature = {
  name: 'social',
  entities: [Profile, Follow, Like, Mute, SocialDay, AgentLikeCount, CounterNote, SocialRecount, Share, Activity],
  idPrefixes: { share: 'shr_', activity: 'act_' },
  events: socialEvents,
  jobs: [
    {
      // The counters are at most a few seconds behind; the job also publishes the events for new followers and likes.
      kind: 'social.aggregate',
      everyMs: 5_000,
      when: `(exists (select from counter_notes) or exists (select from profiles where notice_due)
        or exists (select from agent_likes where notice_due))`,
      concurrency: 1,
      handle: async (ctx) => {
        await aggregateNotes(ctx);
        await sendNotices(ctx);
      },
    },
    {
      kind: 'social.recount',
      everyMs: dayMs,
      concurrency: 1,
      handle: async (ctx, _payload, run) => void (await recountSocial(ctx, run)),
    },
    {
      kind: 'social.age-activities',
      everyMs: dayMs,
      concurrency: 1,
      handle: (ctx, _payload, run) => ageActivities(ctx, run),
    },
    {
      // One at a time, because copying is the most expensive work that a request can cause in the database.
      kind: 'share.copy',
      concurrency: 1,
      handle: (ctx, { conversationId }, run) => copyShared(ctx, conversationId, run),
      failed: (ctx, { conversationId }) => endCopy(ctx, conversationId),
    },
  ],
  expiries: [dayExpiry, revokedShareExpiry],
  reportable: [reportableUser, reportableShare],
  bannerTargets: [profileBanners],
  showsMature: showsMatureAgents,
  onAgentPublished: [notePublished],
  removeOfAgent: [removeSocialOfAgent],
  purge: [purgeSocial],
  exportSections: socialExport,
  gauges: [socialGauges],
};
