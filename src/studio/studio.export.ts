import type { ExportSection } from '../core/feature.ts';

/** Sections of a data export: experiments of the user's agents, and experiments in which the user took part. */
export const studioExport: readonly ExportSection[] = [
  {
    path: 'experiments.json',
    statement: {
      name: 'export_experiments',
      text: `
        select x.id, x.agent_id, x.name, x.hypothesis, x.status, x.variants, x.metric, x.expected_people, x.min_days,
          x.created_at, x.started_at, x.ended_at, x.ended_reason, x.winner_version_id
        from experiments x join agents a on a.id = x.agent_id
        where a.owner_id = $1 and a.deleted_at is null and x.deleted_at is null and (x.created_at, x.id) > ($2, $3)
        order by x.created_at, x.id limit $4`,
    },
  },
  {
    path: 'experiment-exposures.json',
    statement: {
      name: 'export_experiment_exposures',
      text: `
        select e.experiment_id as id, x.agent_id, e.variant, e.exposed_at as created_at
        from experiment_exposures e join experiments x on x.id = e.experiment_id
        where e.user_id = $1 and e.subject = $1 and x.deleted_at is null and (e.exposed_at, e.experiment_id) > ($2, $3)
        order by e.exposed_at, e.experiment_id limit $4`,
    },
  },
];
