import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';

interface Documented {
  paths: Record<string, Record<string, { responses: Record<string, { content?: Record<string, unknown> }> }>>;
}

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/;

/** Reads the OpenAPI document. Returns a function that describes how a JSON response differs from it, or null. */
export function readDocumentedAnswers() {
  const text = readFileSync(resolve(import.meta.dirname, '../../rest/openapi.json'), 'utf8');
  const document = JSON.parse(text) as Documented;
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    formats: { 'date-time': timestamp, int32: true, double: true, float: true, uri: true, email: true, binary: true },
  });
  ajv.addSchema(document, 'openapi');

  /** `path` as in the document: `/v1/agents/{id}`; `method` in lower case. */
  return (path: string, method: string, status: number, body: unknown): string | null => {
    const responses = document.paths[path]?.[method]?.responses;
    if (!responses?.[status]) return `the status ${status} is not documented`;
    if (!responses[status].content?.['application/json']) return null;
    const place = ['paths', path, method, 'responses', String(status), 'content', 'application/json', 'schema'];
    const $ref = `openapi#/${place
      .map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'))
      .map(encodeURIComponent)
      .join('/')}`;
    const validate = ajv.getSchema($ref) ?? ajv.compile({ $id: `${method} ${path} ${status}`, $ref });
    return validate(body) ? null : `the body is not as documented: ${ajv.errorsText(validate.errors)}`;
  };
}
