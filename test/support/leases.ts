interface Queryable {
  query(text: string): Promise<unknown>;
}

/**
 * Expires the leases of killed processes. Call it between a kill and the next start: a running process would lose its
 * leases too.
 */
export async function letLeasesEnd(db: Queryable): Promise<void> {
  await db.query(`update tasks set lease_expires_at = now() where state = 'running'`);
  await db.query(`update instances set heartbeat_at = heartbeat_at - interval '1 minute'`);
}

/** Makes every scheduled task due. Tasks follow the database's clock, which the test's clock does not move. */
export async function letTasksComeDue(db: Queryable): Promise<void> {
  await db.query(`update tasks set run_at = now() where state = 'pending' and attempts = 0`);
}
