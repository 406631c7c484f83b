import type { IncomingMessage } from 'node:http';

/** The error object of Stripe's responses. */
interface StripeErrorBody {
  type: 'invalid_request_error' | 'card_error' | 'api_error' | 'idempotency_error';
  message: string;
  code?: string;
  param?: string;
}

export class HttpError extends Error {
  readonly status: number;
  readonly body: StripeErrorBody;

  constructor(status: number, body: StripeErrorBody) {
    super(body.message);
    this.status = status;
    this.body = body;
  }
}

/** Returns Stripe's error for invalid parameters: 400. */
export const invalid = (message: string, param?: string): HttpError =>
  new HttpError(400, { type: 'invalid_request_error', message, ...(param ? { param } : {}) });

/** Returns Stripe's error for an unknown object, 404, or 400 when a parameter names it. */
export const missing = (id: string, param?: string): HttpError =>
  new HttpError(param === undefined ? 404 : 400, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${param ?? 'object'}: '${id}'`,
    ...(param === undefined ? {} : { param }),
  });

const maxBodyBytes = 1_048_576;

/** Reads a body of at most 1 MB. @throws HttpError 400 for a larger one */
export async function readText(req: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  for await (const part of req as AsyncIterable<Buffer>) {
    sizeBytes += part.length;
    if (sizeBytes > maxBodyBytes) throw invalid('The request body is too large.');
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

/** Parameters of a request: strings, or lists and objects of them. */
export type Form = { [name: string]: string | Form | undefined };

/** Parses Stripe's form encoding, such as `items[0][price]=p`. Lists become objects with the keys 0, 1, 2 …. */
export function parseForm(text: string): Form {
  const form: Form = Object.create(null) as Form;
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split('[').map((part) => part.replace(/\]$/, ''));
    let parent = form;
    for (const [i, key] of path.entries()) {
      if (i === path.length - 1) parent[key === '' ? String(Object.keys(parent).length) : key] = value;
      else {
        const next = parent[key];
        parent = typeof next === 'object' ? next : (parent[key] = Object.create(null) as Form);
      }
    }
  }
  return form;
}

/** Returns the text at a path; undefined when there is none or it is not a text. */
export const textAt = (form: Form, ...path: string[]): string | undefined => {
  const value = formAt(form, ...path);
  return typeof value === 'string' ? value : undefined;
};

/** Returns the value at a path; undefined when there is none. */
export const formAt = (form: Form, ...path: string[]): string | Form | undefined => {
  let value: string | Form | undefined = form;
  for (const key of path) value = typeof value === 'object' ? value[key] : undefined;
  return value;
};

/** Returns the texts of the list at a path; empty when there is no list. */
export const valuesAt = (form: Form, ...path: string[]): string[] => {
  const list = formAt(form, ...path);
  return typeof list === 'object' ? Object.values(list).filter((value) => typeof value === 'string') : [];
};

/** Returns the text at a path. @throws HttpError 400 when it is missing or empty */
export function required(form: Form, ...path: string[]): string {
  const value = textAt(form, ...path);
  if (value === undefined || value === '') throw invalid(`Missing required param: ${path.join('.')}.`, path[0]);
  return value;
}
