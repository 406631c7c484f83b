/**
 * Lets the time pass after which what killed processes held is anybody's: none of them renews it. For between the kill
 * and the next start; a process that lives would lose what it holds.
 */
export async function letLeasesEnd(db: { query(text: string): Promise<unknown> }): Promise<void> {
  await db.query(`update tasks set lease_expires_at = now() where state = 'running'`);
  await db.query(`update instances set heartbeat_at = heartbeat_at - interval '1 minute'`);
}
