import { violatedUnique } from '../core/database/database-errors.ts';
import { AppError, type ErrorCode } from '../core/errors.ts';

const takenCodes: Record<string, ErrorCode> = { users_email_key: 'email_taken', users_username_key: 'username_taken' };

/** Runs a write of an account. @throws AppError `email_taken` or `username_taken` instead of the database's error */
export async function reportTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const code = takenCodes[violatedUnique(error) ?? ''];
    throw code ? new AppError(code, { cause: error }) : error;
  }
}
