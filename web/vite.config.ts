import { defineConfig } from 'vite';
import react from '@vitejs/plugin-react';
import { chunks } from './chunks.ts';
import { preload } from './preload.ts';
import { precompress } from './precompress.ts';

/** Paths that the development server proxies to the service. */
const service = ['/graphql', '/v1', '/session', '/docs', '/dev', '/exports'];

export default defineConfig({
  plugins: [react(), chunks(), preload(), precompress()],
  resolve: { dedupe: ['react', 'react-dom'] },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: ['chrome123', 'safari17.5', 'firefox120'],
    // Every target supports it; the polyfill would be an additional script.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 600,
    reportCompressedSize: false,
  },
  server: {
    port: 5173,
    proxy: Object.fromEntries(service.map((path) => [path, 'http://127.0.0.1:3000'])),
  },
});
