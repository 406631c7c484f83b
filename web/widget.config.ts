import { defineConfig } from 'vite';

/** The chat on other websites: the loader that pages include, and the frame that it opens. The service knows their names. */
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
