/** Every form in which the command line tells of the furnished cluster, in simulated time. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { formatYaml } from '../../src/adapters/document.ts'
import {
  type MarketSettings,
  marketSettings,
  settingsName,
} from '../../src/apis/market-settings.ts'
import { explain } from '../../src/apps/cli/explain/explain.ts'
import { explainReason } from '../../src/apps/cli/explain/troubleshooting.ts'
import { type OutputFormat, render, type View } from '../../src/apps/cli/output.ts'
import { coloured, plain } from '../../src/apps/cli/paint.ts'
import { statusView } from '../../src/apps/cli/status/status.ts'
import { drawTop, type Scene } from '../../src/apps/cli/top/draw.ts'
import { startState } from '../../src/apps/cli/top/state.ts'
import { readTop, topView } from '../../src/apps/cli/top/top.ts'
import { root } from '../run.ts'
import { onSite, type Site } from '../site.ts'
import { furnish } from './furnish.ts'

const entries = readFileSync(join(root, 'docs/troubleshooting.md'), 'utf8')

type Case = {
  readonly name: string
  readonly view: (site: Source) => Promise<View>
  readonly format?: OutputFormat
  readonly hasColour?: boolean
}
type Source = Pick<Site, 'kube'> & { readonly clock: Site['cluster']['agenda']['clock'] }

const status: Case['view'] = async ({ kube, clock }) => statusView(kube, clock)

const explained =
  (kind: 'pod' | 'node' | 'allocation', name: string): Case['view'] =>
  async ({ kube, clock }) =>
    explain(kind, { kube, clock, namespace: undefined, usual: 'default', entries }, name)

const cases: readonly Case[] = [
  { name: 'status', view: status },
  { name: 'status-colour', view: status, hasColour: true },
  { name: 'status-wide', view: status, format: 'wide' },
  { name: 'status-json', view: status, format: 'json' },
  { name: 'status-yaml', view: status, format: 'yaml' },
  { name: 'status-name', view: status, format: 'name' },
  {
    name: 'status-namespace',
    view: async ({ kube, clock }) => statusView(kube, clock, { namespace: 'default' }),
  },
  { name: 'top-nodes', view: async (source) => topView(source, { kind: 'nodes' }) },
  {
    name: 'top-nodes-json',
    view: async (source) => topView(source, { kind: 'nodes' }),
    format: 'json',
  },
  { name: 'top-pods', view: async (source) => topView(source, { kind: 'pods' }) },
  {
    name: 'top-pods-json',
    view: async (source) => topView(source, { kind: 'pods' }),
    format: 'json',
  },
  {
    name: 'top-pods-wide',
    view: async (source) => topView(source, { kind: 'pods' }),
    format: 'wide',
  },
  {
    name: 'top-pods-selected',
    view: async (source) =>
      topView(source, { kind: 'pods', namespace: 'shop', selector: 'app=web' }),
  },
  { name: 'explain-pod', view: explained('pod', 'shop/web-7d4b9c-x2x1q') },
  { name: 'explain-pod-json', view: explained('pod', 'shop/web-7d4b9c-x2x1q'), format: 'json' },
  { name: 'explain-pod-waiting', view: explained('pod', 'shop/worker-0') },
  { name: 'explain-pod-untold', view: explained('pod', 'loner') },
  { name: 'explain-node', view: explained('node', 'node-1') },
  { name: 'explain-node-silent', view: explained('node', 'node-2') },
  { name: 'explain-node-json', view: explained('node', 'node-1'), format: 'json' },
  { name: 'explain-allocation', view: explained('allocation', 'shop/worker-0') },
  {
    name: 'explain-allocation-json',
    view: explained('allocation', 'shop/worker-0'),
    format: 'json',
  },
  { name: 'explain-reason', view: async () => explainReason(entries, 'NodeHeadroom') },
]

/** The same where the cluster only recommends. */
const recommended: readonly Case[] = [
  { name: 'status-recommend', view: status },
  { name: 'status-recommend-json', view: status, format: 'json' },
  { name: 'top-nodes-recommend', view: async (source) => topView(source, { kind: 'nodes' }) },
  { name: 'explain-pod-recommend', view: explained('pod', 'shop/web-7d4b9c-x2x1q') },
]

const screens: Readonly<Record<string, Partial<Scene['state']>>> = {
  'screen-nodes': { chosen: 'node-0' },
  'screen-pods-of-a-node': { kind: 'pods', node: 'node-1' },
  'screen-help': { isHelp: true },
}

export const goldenNames = [
  ...[...cases, ...recommended].map(({ name }) => name),
  ...Object.keys(screens),
]

/** By name. */
export async function allOutputs(): Promise<ReadonlyMap<string, string>> {
  const outputs = new Map<string, string>()
  await onSite({ nodes: 3 }, async ({ kube, cluster, pass }) => {
    const { clock } = cluster.agenda
    await pass(30)
    await furnish(kube, clock.wall())
    const source = { kube, clock }
    await pass(60) // two samples of what is used
    const note = async ({ name, view, format = 'table', hasColour = false }: Case) => {
      const paint = hasColour ? coloured : plain
      const shown = { format, width: 80, paint, formatYaml, isRepeated: false }
      outputs.set(name, render(await view(source), shown))
    }
    for (const one of cases) await note(one)
    for (const [name, change] of Object.entries(screens)) {
      const state = { ...startState('nodes'), ...change }
      const page = await readTop(source, { kind: state.kind, node: state.node })
      const scene = { state, page, detail: undefined, trouble: undefined, time: '00:00:00Z' }
      const lines = drawTop(
        { ...scene, history: [0.2, 0.6, 0.4] },
        { columns: 80, rows: 18 },
        plain,
      )
      outputs.set(name, `${lines.join('\n')}\n`)
    }
    await kube.create<MarketSettings>(marketSettings, {
      metadata: { name: settingsName },
      spec: { mode: 'recommend', excludedNamespaces: ['batch'] },
    })
    for (const one of recommended) await note(one)
  })
  return outputs
}
