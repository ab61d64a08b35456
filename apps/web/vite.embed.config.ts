import { defineConfig } from 'vite';

/** `embed.js`, which shops load by this name: one plain script that leaves nothing but `Tollbridge` in their page. */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  build: {
    // With class fields, which would need a helper of half a kilobyte.
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
