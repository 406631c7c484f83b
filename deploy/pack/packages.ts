/** A development dependency of which the build contains what the service imports. */
export interface PackedPackage {
  name: string;
  /** Entry points that the service imports, as named in the package's `exports`. They are bundled with their imports. */
  entries?: readonly string[];
  /** Files and folders that are copied as they are. */
  files?: readonly string[];
}

/** Installed, they are 140 packages with 200 MB; in the build they take 15 MB. */
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
  { name: 'gpt-tokenizer', entries: ['./encoding/o200k_base', './encoding/cl100k_base'] },
  { name: 'tinyld', entries: ['.'] },
  // Copied, because its worker is imported by URL. Its canvas is left out, because only drawing needs it.
  { name: 'pdfjs-dist', files: ['legacy/build/pdf.mjs', 'legacy/build/pdf.worker.mjs', 'cmaps'] },
];
