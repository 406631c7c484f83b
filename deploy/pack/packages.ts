/** A package that is installed for development only: what the service imports of it becomes part of the build. */
export interface PackedPackage {
  name: string;
  /** Its entry points that the service imports, as its `exports` name them; bundled with what they import. */
  entries?: readonly string[];
  /** Files and folders that are copied as they are. */
  files?: readonly string[];
}

/** Together they take 200 MB and 140 packages in `node_modules`, and 15 MB in the build. */
export const packedPackages: readonly PackedPackage[] = [
  { name: '@aws-sdk/client-s3', entries: ['.'] },
  { name: '@aws-sdk/lib-storage', entries: ['.'] },
  { name: '@escape.tech/graphql-armor-max-aliases', entries: ['.'] },
  { name: '@escape.tech/graphql-armor-max-depth', entries: ['.'] },
  { name: '@escape.tech/graphql-armor-max-directives', entries: ['.'] },
  { name: 'flydrive', entries: ['.', './drivers/fs', './drivers/s3'] },
  { name: '@opentelemetry/api', entries: ['.'] },
  { name: '@opentelemetry/sdk-node', entries: ['.'] },
  { name: '@scalar/fastify-api-reference', entries: ['.'] },
  { name: 'gpt-tokenizer', entries: ['./encoding/o200k_base'] },
  { name: 'tinyld', entries: ['.'] },
  // Its worker is imported by address, and only drawing needs a canvas.
  { name: 'pdfjs-dist', files: ['legacy/build/pdf.mjs', 'legacy/build/pdf.worker.mjs', 'cmaps'] },
];
