/** The controller at scale: many pods resized once, on the embedded cluster and on a real API server. */
import { table, wrap } from '../../src/apps/cli/show.ts'
import { realCluster, skipUnless } from '../real.ts'
import type { Bench } from './bench.ts'
import { type Figures, measureController } from './controller/measure.ts'
import { embeddedStage, realStage, type Sizes, type Stage } from './controller/stage.ts'

/** VPA's own benchmark: its updater with 1,000 VPAs of two pods each, at 100 requests a second. */
const whole: Sizes = { workloads: 1000, replicas: 2 }
const vpaSeconds = 98.8
const quick: Sizes = { workloads: 50, replicas: 2 }
const MOST_SECONDS = 25

/** What the controller alone asks for: the bench and the kubelets ask for other things. */
const kinds = [
  'PATCH pods/resize',
  'PATCH pods',
  'PATCH podallocations/status',
  'POST events',
  'PATCH events',
]

const columns = [
  { title: 'SERVER', align: 'left' },
  ...[
    'PODS',
    'ASKED',
    'ALL IN',
    'P50',
    'P95',
    'CPU',
    'RSS',
    'RESIZES',
    'NOTES',
    'STATUSES',
    'EVENTS',
  ].map((title) => ({ title, align: 'right' }) as const),
] as const

export const controller: Bench = {
  name: 'controller',
  about: `seconds until 2,000 pods of 1,000 workloads are resized, beside VPA's; --quick`,
  async run(flags) {
    const sizes = flags.includes('--quick') ? quick : whole
    console.log('\nThe controller with 100 resizes a second\n')
    const rows: string[][] = []
    for (const open of stagesHere()) rows.push(await measureOn(await open(sizes)))
    console.log(table(columns, rows).join('\n'))
    const words =
      'from when the controller leads and knows the cluster: asked: until the last resize is ' +
      `accepted; all in: until the last pod has it, by its kubelet, ${MOST_SECONDS} s at most for 2,000; VPA's updater is published to take ` +
      `${vpaSeconds} s for as many; p50, p95: the same of a pod; CPU and RSS of the controller, with its start; ` +
      'notes: of original values, on the pods; statuses and events follow behind, at their own pace'
    console.log(`\n${wrap(words, 100, 0).join('\n')}`)
  },
}

function stagesHere(): readonly ((sizes: Sizes) => Promise<Stage>)[] {
  const reason = skipUnless(...realCluster)
  if (reason === false) return [embeddedStage, realStage]
  console.log(`Without a real API server: ${reason}\n`)
  return [embeddedStage]
}

async function measureOn(stage: Stage): Promise<string[]> {
  try {
    return rowOf(stage.name, await measureController(stage))
  } finally {
    await stage.strike()
  }
}

const rowOf = (name: string, { requests, ...figures }: Figures): string[] => {
  const [resizes, notes, statuses, made, again] = kinds.map((kind) => requests[kind] ?? 0)
  const seconds = (value: number) => `${value.toFixed(1)} s`
  return [
    name,
    String(figures.pods),
    seconds(figures.askedSeconds),
    seconds(figures.seconds),
    seconds(figures.p50Seconds),
    seconds(figures.p95Seconds),
    seconds(figures.cpuSeconds),
    `${figures.rss.toFixed(0)} MB`,
    ...[resizes, notes, statuses, (made ?? 0) + (again ?? 0)].map(String),
  ]
}
