const form = /^Bearer +([\x21-\x7e]+)$/i;

/** Returns the token of an `Authorization` header with the scheme `Bearer`; null for any other header. */
export const bearerToken = (header: string | undefined): string | null => form.exec(header?.trim() ?? '')?.[1] ?? null;

/** Returns the credential in a message of a socket, given alone or in the form of an `Authorization` header. */
export const credentialIn = (text: string): string => bearerToken(text) ?? text.trim();
