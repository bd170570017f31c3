// Bundles the commands that a person waits for into one file, dist/cli/main.js: to find, read and compile
// seventy takes as long as to ask for a thousand nodes. bin/mbcas runs these from there, all others from dist/src.
import { readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

import { build } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const folder = join(root, 'dist', 'cli')

/** What finds files by its own address keeps the one that it has in dist/src. */
const ownAddresses = {
  name: 'own addresses',
  setup: (/** @type {import('esbuild').PluginBuild} */ plugin) =>
    plugin.onLoad({ filter: /[\\/]dist[\\/]src[\\/].*\.js$/ }, async ({ path }) => {
      const place = JSON.stringify(relative(folder, path).replaceAll('\\', '/'))
      const address = `new URL(${place}, import.meta.url).href`
      const text = await readFile(path, 'utf8')
      return { contents: text.replaceAll('import.meta.url', address) }
    }),
}

await build({
  absWorkingDir: root,
  entryPoints: [join('dist', 'src', 'main.js')],
  outfile: join(folder, 'main.js'),
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  // commander asks for Node's modules by require, which a module does not have.
  banner: {
    js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url)",
  },
  plugins: [ownAddresses],
  // They are never started from here.
  external: ['agent', 'cluster', 'controller', 'dashboard', 'demo', 'simulate'].map(
    (app) => `./${app}/*`,
  ),
  logLevel: 'warning',
})
