import { Migration } from '@mikro-orm/migrations';

/**
 * The default that the daily cap of an embed had when it was stored. While the two are equal, the cap follows the plan of
 * the owner. An instance of the release before changes only the cap, which then counts as chosen.
 */
export class Migration0203EmbedCaps extends Migration {
  override up(): void {
    this.addSql(`alter table embeds add column default_per_day integer`);
    this.addSql(followPlans);
  }
}

// A cap of more than the whole day of the plan is the default of a larger plan that the owner had before.
const followPlans = `
update embeds e set default_per_day = e.per_day
from users u
join (values ('free', 16, 50), ('plus', 166, 500), ('pro', 666, 2000), ('creator', 2000, null)) as p (plan, cap, day)
  on p.plan = u.plan
where u.id = e.owner_id
  and (e.per_day = p.cap or (e.per_day > p.day and e.per_day in (166, 666, 2000)));
`;
