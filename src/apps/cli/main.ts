/** Joins the commands that read a cluster with the API, the terminal and the formats. */
import { fileURLToPath } from 'node:url'

import { formatYaml } from '../../adapters/document.ts'
import { createKube, type KubeClient } from '../../adapters/kube/client.ts'
import { loadConfig } from '../../adapters/kube/load-config.ts'
import { ownVersion } from '../../adapters/own-version.ts'
import { systemClock } from '../../adapters/system-clock.ts'
import { terminalWidth } from '../../adapters/terminal/width.ts'
import { readFileText } from '../../adapters/text-file.ts'
import { parseDuration } from '../../core/duration.ts'
import { cut, visible } from '../../core/visible.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Explained } from './explain/explain.ts'
import { type OutputFormat, render, type View } from './output.ts'
import { paintFor } from './paint.ts'
import { print } from './repeat.ts'
import type { TopKind, TopWish } from './top/top.ts'

export type ConnectionFlags = { readonly kubeconfig?: string; readonly context?: string }
type OutputFlags = { readonly output: OutputFormat }
export type ReadFlags = ConnectionFlags &
  OutputFlags & { readonly watch: boolean; readonly interval: string; readonly namespace?: string }

const isTerminal = (): boolean => process.stdout.isTTY
const paint = () => paintFor(process.env, isTerminal())
const write = (text: string): void => void process.stdout.write(text)

type Cluster = {
  readonly kube: KubeClient
  /** Its wall is that of the API server: times in objects are by it, and ours may be wrong. */
  readonly clock: Clock
  readonly address: string
  /** The namespace of the context. */
  readonly usual: string
}

export async function withCluster<T>(
  { kubeconfig, context }: ConnectionFlags,
  work: (cluster: Cluster) => Promise<T>,
): Promise<T> {
  const config = await loadConfig({ kubeconfig, context })
  const kube = createKube(config, { clock: systemClock })
  const clock: Clock = { ...systemClock, wall: kube.serverWall }
  try {
    return await work({ kube, clock, address: config.server, usual: config.namespace })
  } finally {
    kube.close()
  }
}

const intervalOf = ({ interval }: Pick<ReadFlags, 'interval'>): number =>
  parseDuration(interval, { flag: '--interval', min: 500, max: 3_600_000 })

const show = (view: View, { output: format }: OutputFlags, isRepeated: boolean): string =>
  render(view, { format, width: terminalWidth(), paint: paint(), formatYaml, isRepeated })

async function read(flags: ReadFlags, view: (cluster: Cluster) => Promise<View>): Promise<number> {
  const intervalMillis = flags.watch ? intervalOf(flags) : undefined
  await withCluster(flags, async (cluster) =>
    print({
      produce: async () => show(await view(cluster), flags, flags.watch),
      write,
      complain: (message) => console.error(`mbcas: ${visible(cut(message, 1000))}`),
      isTerminal: isTerminal() && ['table', 'wide'].includes(flags.output),
      clock: systemClock,
      intervalMillis,
    }),
  )
  return 0
}

type PodFlags = ReadFlags & { readonly allNamespaces: boolean; readonly selector?: string }

/** `-A` wins, as with kubectl. */
const namespaceIn = ({ namespace, allNamespaces }: PodFlags): string | undefined =>
  allNamespaces ? undefined : namespace

export async function runStatus(flags: PodFlags): Promise<number> {
  const { statusView } = await import('./status/status.ts')
  const wish = { selector: flags.selector, namespace: namespaceIn(flags) }
  return read(flags, async ({ kube, clock }) => statusView(kube, clock, wish))
}

const readEntries = (): string =>
  readFileText(fileURLToPath(new URL('../../../../docs/troubleshooting.md', import.meta.url)))

export const runExplain =
  (kind: Explained) =>
  async (name: string, flags: ReadFlags): Promise<number> => {
    const { explain } = await import('./explain/explain.ts')
    const { namespace } = flags
    const entries = readEntries()
    return read(flags, async ({ kube, clock, usual }) =>
      explain(kind, { kube, clock, namespace, usual, entries }, name),
    )
  }

export async function runExplainReason(code: string): Promise<number> {
  const { explainReason } = await import('./explain/troubleshooting.ts')
  write(show(explainReason(readEntries(), code), { output: 'table' }, false))
  return 0
}

type TopFlags = PodFlags & { readonly sort?: string; readonly node?: string }

export async function runTop(kind: TopKind, flags: TopFlags): Promise<number> {
  const { topView } = await import('./top/top.ts')
  const { sort, selector, node } = flags
  const wish = { kind, sort, selector, node, namespace: namespaceIn(flags) }
  const isLive = isTerminal() && process.stdin.isTTY && flags.output === 'table'
  if (!isLive) return read(flags, async (cluster) => topView(cluster, wish))
  await withCluster(flags, async (cluster) => runLiveTop(cluster, wish, intervalOf(flags)))
  return 0
}

async function runLiveTop(cluster: Cluster, wish: TopWish, intervalMillis: number): Promise<void> {
  const [{ runLive }, { readTop }, { openScreen }, { explain }] = await Promise.all([
    import('./top/live.ts'),
    import('./top/top.ts'),
    import('../../adapters/terminal/screen.ts'),
    import('./explain/explain.ts'),
  ])
  const asking = { ...cluster, namespace: undefined, entries: readEntries() }
  await runLive({
    openScreen: openScreen(process),
    clock: systemClock,
    paint: paint(),
    intervalMillis,
    wish,
    read: async (asked) => readTop(cluster, asked),
    explain: async (pod, columns) =>
      (await explain('pod', asking, pod)).text({ width: columns, isWide: false, paint: paint() }),
  })
}

type VersionFlags = ConnectionFlags & OutputFlags & { readonly server: boolean }

export async function runVersion(flags: VersionFlags): Promise<number> {
  const { versionView } = await import('./version.ts')
  const own = { version: ownVersion(), node: process.versions.node }
  const view = flags.server
    ? await withCluster(flags, async (cluster) => versionView(own, cluster))
    : await versionView(own, undefined)
  write(show(view, flags, false))
  return 0
}
