import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { gzipSync } from 'node:zlib';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

// The built page is committed with the studio's crate, so that building it needs no Node. Files have fixed names and are packed once.
const out = resolve(process.env.PAGE_DIR ?? '../crates/consilience-studio/page');

export default defineConfig({
  plugins: [
    svelte(),
    {
      name: 'pack',
      closeBundle() {
        for (const name of readdirSync(out).filter((name) => !name.endsWith('.gz')).sort()) {
          writeFileSync(join(out, `${name}.gz`), gzipSync(readFileSync(join(out, name)), { level: 9 }));
        }
      },
    },
  ],
  build: {
    outDir: out,
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    cssCodeSplit: false,
    chunkSizeWarningLimit: 1000,
    rollupOptions: {
      output: { entryFileNames: 'app.js', assetFileNames: 'app[extname]', inlineDynamicImports: true },
    },
  },
});
