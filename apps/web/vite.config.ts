import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const sharedWallets = /[\\/](src[\\/]wallets|@wallet-standard[\\/]app)[\\/]/;

/** Each entry is a page's script or style sheet. The gateway finds its files in the manifest. */
export default defineConfig({
  root: import.meta.dirname,
  // The path where the gateway serves the files.
  base: '/assets/',
  plugins: [react()],
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: true,
    assetsDir: '',
    manifest: 'manifest.json',
    modulePreload: { polyfill: false },
    // The policy of the pages allows no data: URLs.
    assetsInlineLimit: 0,
    rollupOptions: {
      input: {
        pages: 'src/design/pages.css',
        site: 'src/design/site.css',
        guides: 'src/guides/main.ts',
        reference: 'src/reference/main.ts',
        checkout: 'src/checkout/main.ts',
        load: 'src/checkout/load.ts',
        dashboard: 'src/dashboard/main.tsx',
      },
      output: {
        entryFileNames: '[name]-[hash].js',
        // The wallet code that checkout and dashboard share is one file, not one for each pair of pages.
        codeSplitting: { groups: [{ name: 'wallets', test: sharedWallets }] },
      },
    },
  },
});
