import { defineConfig } from 'oxlint';

/** Rules that find bugs. Layout is the formatter's concern; matters of taste are not checked. */
export default defineConfig({
  options: { typeAware: true, denyWarnings: true, reportUnusedDisableDirectives: 'error' },
  plugins: ['eslint', 'typescript', 'unicorn', 'oxc', 'import', 'promise', 'node', 'vitest', 'react', 'jsx-a11y'],
  jsPlugins: ['./lint/plugin.ts', './lint/language/plain-words.ts'],
  env: { node: true, es2024: true },
  ignorePatterns: ['node_modules', 'dist', 'coverage', '.data', '**/generated/**'],
  categories: { correctness: 'error', suspicious: 'error' },
  rules: {
    'layers/boundaries': 'error',
    'layers/names': 'error',
    'language/plain-words': 'error',
    'layers/guarded-entry': 'error',
    'layers/database-time': 'error',
    'layers/process-clock': 'error',
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'import/no-duplicates': 'error',
    'import/no-mutable-exports': 'error',
    'oxc/no-barrel-file': ['error', { threshold: 0 }],
    'unicorn/filename-case': ['error', { case: 'kebabCase' }],
    'unicorn/prefer-node-protocol': 'error',
    'eslint/max-lines': ['error', { max: 300 }],

    'typescript/await-thenable': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/return-await': ['error', 'error-handling-correctness-only'],
    'typescript/only-throw-error': 'error',
    'typescript/prefer-promise-reject-errors': 'error',
    'typescript/use-unknown-in-catch-callback-variable': 'error',
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    'typescript/restrict-plus-operands': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-unsafe-call': 'error',
    'typescript/no-unsafe-return': 'error',
    'typescript/no-unsafe-function-type': 'error',
    // Features merge their declarations into empty interfaces.
    'typescript/no-empty-object-type': ['error', { allowInterfaces: 'always' }],
    'typescript/no-non-null-assertion': 'error',
    'typescript/no-deprecated': 'error',
    'typescript/no-extraneous-class': ['error', { allowWithDecorator: true }],
    'typescript/no-require-imports': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/ban-ts-comment': 'error',
    'unicorn/no-abusive-eslint-disable': 'error',

    'eslint/array-callback-return': 'error',
    'eslint/eqeqeq': 'error',
    'eslint/no-console': 'error',
    'eslint/no-fallthrough': 'error',
    'eslint/no-nested-ternary': 'error',
    'eslint/no-new-func': 'error',
    'eslint/no-param-reassign': 'error',
    'eslint/no-self-compare': 'error',
    'eslint/no-template-curly-in-string': 'error',
    'eslint/no-unreachable-loop': 'error',
    'eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'all' }],
    'eslint/no-var': 'error',
    'eslint/no-warning-comments': ['error', { terms: ['todo', 'fixme', 'hack'], location: 'start' }],
    'eslint/prefer-const': 'error',
    'eslint/radix': 'error',

    'node/no-process-env': 'error',
    'eslint/no-restricted-imports': [
      'error',
      {
        paths: ['node:process', 'process'].map((name) => ({
          name,
          message: 'Configuration arrives in ctx.config; only src/main.ts reads the environment.',
        })),
      },
    ],

    // Rules of the two categories above with more noise than benefit:
    // CommonJS packages have only a default export;
    'import/no-named-as-default': 'off',
    'import/no-named-as-default-member': 'off',
    // side-effect imports carry declaration merging and reflect-metadata;
    'import/no-unassigned-import': 'off',
    // inTransaction(ctx, (ctx) => …) shadows on purpose, because the outer one must not be used inside;
    'eslint/no-shadow': 'off',
    'eslint/no-underscore-dangle': 'off',
    // names and messages are cleaned of control characters;
    'eslint/no-control-regex': 'off',
    // assertions name what was just checked, and other rules reject `any`;
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/no-unnecessary-type-assertion': 'off',
    // rows of SQL are typed by the caller, `sql<Row>(…)`;
    'typescript/no-unnecessary-type-parameters': 'off',
    'typescript/consistent-return': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'unicorn/no-array-reverse': 'off',
    'unicorn/no-array-sort': 'off',
    // lengths are counted in Unicode characters, `[...text].length`;
    'typescript/no-misused-spread': ['error', { allow: ['string'] }],
    // these promise rules know no types and report zod and streams; the typed ones are above;
    'promise/always-return': 'off',
    'promise/no-callback-in-promise': 'off',
    'promise/valid-params': 'off',
    // JSX compiles to imports of its own runtime.
    'react/react-in-jsx-scope': 'off',
    // Concerns Express 4, where a rejected handler hangs.
    'oxc/no-async-endpoint-handlers': 'off',
  },
  overrides: [
    {
      files: ['web/**'],
      env: { browser: true, node: false },
      rules: {
        'language/catalogued-texts': 'error',
        // A page with a single form focuses its first field.
        'jsx-a11y/no-autofocus': 'off',
        // `output` is an inline element for the results of forms; a page's status is neither.
        'jsx-a11y/prefer-tag-over-role': 'off',
        // Scrollable elements must be reachable by keyboard.
        'jsx-a11y/no-noninteractive-tabindex': 'off',
        // It confuses BroadcastChannel with window.
        'unicorn/require-post-message-target-origin': 'off',
        // A page uses the browser's clock.
        'layers/process-clock': 'off',
      },
    },
    {
      // Simulators and the client are separate programs; log lines, ages of files and HTTP headers use the wall clock.
      files: [
        'src/simulators/**',
        'rest/client/**',
        'test/**',
        'lint/**',
        'src/core/process/log-destination.ts',
        'src/providers/files/folder.ts',
        'src/providers/openai/errors.ts',
        'src/http/malformed.ts',
        'src/http/rate-limit.ts',
        'jobs/agenda.ts',
        'jobs/agenda-alarm.ts',
      ],
      rules: { 'layers/process-clock': 'off' },
    },
    { files: ['test/**', 'src/migrations/**'], rules: { 'layers/database-time': 'off' } },
    // Parameter types of resolvers are values: decorators emit them as metadata.
    { files: ['schema/**'], rules: { 'typescript/consistent-type-imports': 'off' } },
    { files: ['src/main.ts', 'test/**', '*.config.ts', 'codegen.ts'], rules: { 'node/no-process-env': 'off' } },
    {
      files: [
        'test/bench/**',
        'test/attack/run.ts',
        'rest/emit.ts',
        'rest/released/released.ts',
        'rest/client/emit.ts',
      ],
      rules: { 'eslint/no-console': 'off' },
    },
    {
      files: ['test/**'],
      rules: {
        'eslint/max-lines': 'off',
        'typescript/no-non-null-assertion': 'off',
        // Tests read JSON and rows without types.
        'typescript/no-unsafe-call': 'off',
        'typescript/no-unsafe-return': 'off',
        'typescript/require-array-sort-compare': 'off',
        // Promises are checked by shared functions and in loops over tables.
        'vitest/expect-expect': 'off',
        'vitest/no-conditional-expect': 'off',
        'vitest/no-standalone-expect': 'off',
        'vitest/require-mock-type-parameters': 'off',
        'vitest/require-to-throw-message': 'off',
      },
    },
  ],
});
