/** The dashboard's server at scale: what a view and a patch cost, and what an hour of history keeps. */
import { gzipSync } from 'node:zlib'

import { table } from '../../src/apps/cli/show.ts'
import type { Bench } from './bench.ts'
import type { Figures, Size } from './dashboard/task.ts'
import { forkTask } from './fork-task.ts'

const sizes: readonly Size[] = [{ nodes: 10 }, { nodes: 100 }, { nodes: 1000 }]
const columns = [
  'NODES',
  'PODS',
  'VIEW',
  'GZIP',
  'ASKED',
  'PATCH',
  'A SECOND',
  'MEMORY',
  'RINGS',
].map((title) => ({ title, align: 'right' }) as const)

export const dashboard: Bench = {
  name: 'dashboard',
  about: 'the dashboard with up to 1,000 nodes and 10,000 pods: sizes, time of a patch, memory',
  async run() {
    console.log(
      '\nThe dashboard, an hour after it was started, with one page open (some minutes)\n',
    )
    const rows: string[][] = []
    for (const size of sizes) {
      const script = new URL('dashboard/task.js', import.meta.url)
      rows.push(rowOf(size, await forkTask<Figures>(script, size, ['--expose-gc'])))
    }
    console.log(table(columns, rows).join('\n'))
    console.log(`
view: /api/cluster as JSON, and compressed; asked: from request to answer; patch: what is sent in a
second; a second: CPU time for one second of asking agents, histories and telling (the mean of an
hour); memory: heap and rings, without the API's own objects; rings: of that, the histories`)
  },
}

const rowOf = ({ nodes }: Size, figures: Figures): string[] => [
  String(nodes),
  String(nodes * 10),
  kilobytes(figures.view.length),
  kilobytes(gzipSync(figures.view).length),
  `${figures.askedMillis.toFixed(1)} ms`,
  kilobytes(figures.patchBytes),
  `${figures.cpuMillis.toFixed(2)} ms`,
  `${(figures.bytes / 1e6).toFixed(0)} MB`,
  `${(figures.ringBytes / 1e6).toFixed(0)} MB`,
]

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} KB`
