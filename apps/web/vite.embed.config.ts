import { defineConfig } from 'vite';

/**
 * Builds `embed.js`, which shops load by this name: one plain script that adds only `Tollbridge` to their page's
 * globals.
 */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  build: {
    // Supports class fields natively, because their helper would be half a kilobyte.
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: false,
    lib: {
      entry: 'src/embed/main.ts',
      formats: ['iife'],
      name: 'tollbridgeEmbed',
      fileName: () => 'embed.js',
    },
  },
});
