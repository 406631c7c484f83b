import pg from 'pg';

/**
 * Copies one snapshot of a running database into another one with the same schema and no rows: a dump and its
 * restoration, for machines that have PostgreSQL's server but not its tools.
 */
export async function copyDatabase(fromUrl: string, toUrl: string): Promise<void> {
  const from = new pg.Client({ connectionString: fromUrl });
  const to = new pg.Client({ connectionString: toUrl });
  await Promise.all([from.connect(), to.connect()]);
  try {
    await from.query('begin isolation level repeatable read read only');
    const { rows: tables } = await from.query<{ name: string; columns: string }>(`
      select table_name as name, string_agg(quote_ident(column_name), ', ' order by ordinal_position) as columns
      from information_schema.columns
      where table_schema = 'public' and is_generated = 'NEVER' and table_name <> 'migrations'
      group by table_name`);
    // Tables that an instance creates at startup are skipped: it creates them again.
    const known = await to.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public'`,
    );
    const common = tables.filter((table) => known.rows.some(({ name }) => name === table.name));
    for (const { name, columns } of await inOrderOfReferences(from, common)) {
      const { rows } = await from.query<{ data: string }>(
        `select coalesce(json_agg(row_to_json(t)), '[]')::text as data from (select ${columns} from "${name}") t`,
      );
      // Rows that a trigger would write to other tables are copied themselves.
      await to.query(`alter table "${name}" disable trigger user`);
      await to.query(
        `insert into "${name}" (${columns}) overriding system value
         select ${columns} from json_populate_recordset(null::"${name}", $1)`,
        [rows[0]?.data],
      );
      await to.query(`alter table "${name}" enable trigger user`);
    }
    const { rows: sequences } = await from.query<{ name: string; last: string }>(
      `select sequencename as name, last_value::text as last from pg_sequences where last_value is not null and sequencename not like 'agenda%'`,
    );
    for (const { name, last } of sequences) await to.query('select setval($1::regclass, $2)', [name, last]);
  } finally {
    await Promise.all([from.end(), to.end()]);
  }
}

/** Orders tables so that referenced ones come first. */
async function inOrderOfReferences<Table extends { name: string }>(db: pg.Client, tables: Table[]): Promise<Table[]> {
  const { rows } = await db.query<{ child: string; parent: string }>(`
    select conrelid::regclass::text as child, confrelid::regclass::text as parent from pg_constraint
    where contype = 'f' and conrelid <> confrelid`);
  const ordered: Table[] = [];
  const isReady = ({ name }: Table) =>
    rows.every(({ child, parent }) => child !== name || ordered.some((done) => done.name === parent));
  for (let rest = tables; rest.length > 0; rest = rest.filter((table) => !ordered.includes(table)))
    ordered.push(...rest.filter(isReady));
  return ordered;
}
