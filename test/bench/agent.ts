/** What the agent of a full node costs, by the kernel's own counters. */
import { parseArgs } from 'node:util'

import { table, wrap } from '../../src/apps/cli/show.ts'
import { real } from '../real.ts'
import { type Figures, measureAgent, type PeakAndLast, type Times } from './agent/measure.ts'
import { podsOfNode, setStage } from './agent/stage.ts'
import type { Bench } from './bench.ts'
import { whyNot } from './kernel.ts'

/** The default, and the slowest that can be configured. */
const samplings = [
  { samplingMillis: 250, mostMillicores: 40 },
  { samplingMillis: 1000, mostMillicores: 25 },
] as const
/** The binary of Node 24 alone is resident with 10 MB more. */
const mostRssMb = (version: string): number =>
  Number.parseInt(version.slice(1), 10) < 24 ? 65 : 75

type Case = (typeof samplings)[number] & {
  /** The Node binary. */
  readonly node: string
}
type Measured = Case & Figures

export const agent: Bench = {
  name: 'agent',
  about: `memory and CPU of the agent of a node with ${podsOfNode} pods; --minutes 10, --quick`,
  async run(flags) {
    const reason = whyNot()
    if (reason !== undefined) return console.log(`\nThe agent of a full node: ${reason}\n`)
    const times = timesOf(flags)
    const seconds = Math.round(times.millis / 1000)
    console.log(`\nThe agent of a node with ${podsOfNode} pods, for ${seconds} s\n`)
    if (real.node24.path === undefined) console.log(`Without Node 24: ${real.node24.missing}\n`)
    const cases = nodesHere().flatMap((node) =>
      samplings.map(({ samplingMillis, mostMillicores }) => ({
        node,
        samplingMillis,
        mostMillicores,
      })),
    )
    const stage = await setStage(cases.length)
    try {
      // All at once, each on a node of its own: they mostly wait.
      const { kubeconfig } = stage
      const measured = stage.nodes.map(async (place, i): Promise<Measured> => {
        const one = cases[i] as Case
        return { ...one, ...(await measureAgent(place, one, { ...times, kubeconfig })) }
      })
      print(await Promise.all(measured))
    } finally {
      await stage.strike()
    }
  },
}

const nodesHere = (): string[] => [
  process.execPath,
  ...(real.node24.path === undefined ? [] : [real.node24.path]),
]

function timesOf(flags: readonly string[]): Times {
  const { values } = parseArgs({
    args: [...flags],
    options: { minutes: { type: 'string', default: '10' }, quick: { type: 'boolean' } },
  })
  if (values.quick === true) return { startUpMillis: 5000, millis: 15_000 }
  const minutes = Number(values.minutes)
  if (!(minutes > 0)) throw new Error(`--minutes: expected a number above 0, got ${values.minutes}`)
  return { startUpMillis: 30_000, millis: minutes * 60_000 }
}

const columns = [
  { title: 'NODE', align: 'left' },
  { title: 'SAMPLING', align: 'right' },
  { title: 'MILLICORES', align: 'right' },
  { title: 'BAR', align: 'right' },
  { title: 'MET', align: 'left' },
  { title: 'RSS PEAK', align: 'right' },
  { title: 'LAST', align: 'right' },
  { title: 'BAR', align: 'right' },
  { title: 'MET', align: 'left' },
  { title: 'PRIVATE PEAK', align: 'right' },
  { title: 'LAST', align: 'right' },
] as const

function print(measured: readonly Measured[]): void {
  console.log(table(columns, measured.map(rowOf)).join('\n'))
  const flags = [...new Set(measured.map(({ nodeFlags }) => nodeFlags.join(' ')))]
  const notes = [
    `Flags of Node: ${flags.join('; ') || 'none'}.`,
    'CPU: of its cgroup, after start-up. Memory in MB of 2^20 bytes: the highest and the last of what is resident, and of that what is private, which leaves out the binary and its libraries. Metrics were read every 15 s. All agents ran at once, beside the API server.',
  ]
  console.log(['', ...notes.flatMap((note) => wrap(note, 100, 0))].join('\n'))
}

function rowOf(measured: Measured): string[] {
  const { version, samplingMillis, millicores, mostMillicores, rss, own } = measured
  const verdict = (value: number, most: number) => (value <= most ? 'yes' : 'NO')
  const both = ({ peak, last }: PeakAndLast) => [peak.toFixed(1), last.toFixed(1)]
  return [
    version,
    `${samplingMillis} ms`,
    millicores.toFixed(1),
    String(mostMillicores),
    verdict(millicores, mostMillicores),
    ...both(rss),
    String(mostRssMb(version)),
    verdict(rss.peak, mostRssMb(version)),
    ...both(own),
  ]
}
