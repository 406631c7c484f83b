import { Migration } from '@mikro-orm/migrations';

/** Tokens that prove control of a new e-mail address, and mails to an address that is not the account's own. */
export class Migration0046ChangeEmail extends Migration {
  override up(): void {
    this.addSql(`
      alter table account_tokens
        add column email text,
        drop constraint account_tokens_kind_check,
        add constraint account_tokens_kind_check check (kind in ('verify', 'reset', 'change'))`);
    this.addSql(`alter table mails add column recipient text`);
  }
}
