// Bundles the page of web/ into dist/web, flat: index.html, app.js, app.css, theme.js, icon.svg.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { build } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

await build({
  absWorkingDir: root,
  entryPoints: [
    { in: 'web/main.tsx', out: 'app' },
    { in: 'web/styles/app.css', out: 'app' },
    { in: 'web/theme.ts', out: 'theme' },
    { in: 'web/index.html', out: 'index' },
    { in: 'web/icon.svg', out: 'icon' },
  ],
  outdir: join('dist', 'web'),
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  loader: { '.html': 'copy', '.svg': 'copy' },
  logLevel: 'warning',
})
