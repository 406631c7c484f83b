import { defineConfig } from 'vite';

/** Builds the chat for other websites: the loader script and its frame. The service depends on their file names. */
export default defineConfig({
  publicDir: false,
  build: {
    outDir: '../dist/widget',
    emptyOutDir: true,
    target: ['chrome123', 'safari17.5', 'firefox120'],
    modulePreload: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      input: { widget: 'web/src/widget/widget.ts', frame: 'web/src/widget/frame.ts' },
      output: { entryFileNames: '[name].js', assetFileNames: '[name][extname]' },
    },
  },
});
