/** The command line: every subcommand in one place; its modules are loaded only when it runs. */
import { readFileSync } from 'node:fs'

import { Command, InvalidArgumentError, Option } from 'commander'

import { parseCpu } from '../apis/market-file.ts'
import { InvalidInput } from '../core/errors.ts'
import { mechanismNames } from '../core/market/mechanisms.ts'
import type { Millicores } from '../core/units.ts'
import type { Speed } from '../sim/create-agenda.ts'
import type { HostFlags } from './agent/host/main.ts'
import type { AgentFlags } from './agent/main.ts'
import type { ClusterFlags } from './cluster/main.ts'
import type { ControllerFlags } from './controller/main.ts'

const version = (): string => {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

export function buildProgram(): Command {
  const program = new Command('mbcas')
    .description('Shares the CPUs and GPUs of a Kubernetes cluster by a market')
    .version(version())
  addMarket(program)
  addAgent(program)
  addController(program)
  addExplain(program)
  addCluster(program)
  // Settings are not inherited by commands that are there already, so they come last.
  const settle = (command: Command): void => {
    command.exitOverride().showHelpAfterError('(run with --help to see what is known)')
    command.commands.forEach(settle)
  }
  settle(program)
  return program
}

function addMarket(program: Command): void {
  const market = program
    .command('market')
    .description('Clear a market from a file, or check a clearing')
  const clear = market
    .command('clear')
    .description('Clear a market: who gets how much of a capacity, at what price, and why')
  addMarketFlags(clear)
    .addOption(
      new Option('-o, --output <format>', 'how to print the clearing')
        .choices(['table', 'json', 'yaml'])
        .default('table'),
    )
    .option('--start-price <price>', 'where primal-dual starts, such as the last price', parsePrice)
    .action(async (flags: Parameters<Cli['runMarketClear']>[0]) => {
      process.exitCode = await (await loadCli()).runMarketClear(flags)
    })
  const verify = market
    .command('verify')
    .description(
      'Check a clearing against its market: exit code 1 and what is wrong, if anything is',
    )
    .requiredOption(
      '--result <file>',
      'the clearing, as `market clear -o json` or `-o yaml` prints it',
    )
  addMarketFlags(verify).action(async (flags: Parameters<Cli['runMarketVerify']>[0]) => {
    process.exitCode = await (await loadCli()).runMarketVerify(flags)
  })
}

const kubeconfigFlag = [
  '--kubeconfig <file>',
  'how to reach the cluster; else KUBECONFIG, the service account, ~/.kube/config',
] as const

const addServiceFlags = (command: Command, listen: string): Command =>
  command
    .option(...kubeconfigFlag)
    .option('--listen <address>', 'where to serve /healthz, /readyz and /metrics', listen)
    .addOption(
      new Option('--log-level <level>', 'the least that is logged, as JSON lines on stderr')
        .choices(['debug', 'info', 'warn', 'error'])
        .default('info'),
    )

type Where = { readonly host: boolean; readonly config?: string; readonly node?: string }

function addAgent(program: Command): void {
  const agent = program
    .command('agent')
    .description('Sense the pods of one node, clear its market, and write PodAllocations')
    .option('--node <name>', 'the node that it runs on')
    .option('--host', 'manage the cgroups that --config names instead, without Kubernetes', false)
    .option('--config <file>', 'what an operator decides, YAML or JSON')
    .option(
      '--state <file>',
      'what was learnt, else in /var/lib/mbcas; with --host what it found, else in /run/mbcas',
    )
    .option('--kubelet-dir <folder>', "the kubelet's --root-dir", '/var/lib/kubelet')
    .option('--cgroup-root <path>', "the kubelet's cgroupRoot", '/')
    .option('--cgroup-mount <folder>', 'where cgroups are mounted', '/sys/fs/cgroup')
    .option('--sampling-interval <duration>', 'from sample to sample; else of the file, or 250ms')
    .option('--interval <duration>', 'from clearing to clearing; else of the file, or 15s')
  addServiceFlags(agent, ':8082').action(async (flags: AgentFlags & HostFlags & Where) => {
    if (flags.host) {
      const { runHostAgent } = await import('./agent/host/main.ts')
      if (flags.config === undefined) throw new InvalidInput('--host: expected --config with it')
      process.exitCode = await runHostAgent(flags)
      return
    }
    if (flags.node === undefined) throw new InvalidInput('expected --node, or --host')
    const { runAgent } = await import('./agent/main.ts')
    process.exitCode = await runAgent(flags)
  })
}

function addController(program: Command): void {
  const controller = program
    .command('controller')
    .description('Bring pods to what their PodAllocations say, in place')
    .option('--config <file>', 'what an operator decides, YAML or JSON')
    .option('--lease-namespace <name>', 'where the leader lease is', 'mbcas-system')
  addServiceFlags(controller, ':8080').action(async (flags: ControllerFlags) => {
    const { runControllerProcess } = await import('./controller/main.ts')
    process.exitCode = await runControllerProcess(flags)
  })
}

function addExplain(program: Command): void {
  program
    .command('explain')
    .description('Say why something is as it is')
    .command('pod <namespace/name>')
    .description('What a pod has, wants, got and why')
    .option(...kubeconfigFlag)
    .action(async (place: string, flags: { kubeconfig?: string }) => {
      process.exitCode = await (await loadCli()).runExplainPod(place, flags)
    })
}

function addCluster(program: Command): void {
  program
    .command('cluster')
    .description(
      'Run an embedded Kubernetes cluster with simulated nodes, to try MBCAS without one',
    )
    .option('--nodes <count>', 'how many nodes', wholeNumber({ min: 1, max: 3000 }), 3)
    .option('--cpus <count>', 'CPUs of each node', wholeNumber({ min: 1, max: 1024 }), 4)
    .option(
      '--port <port>',
      'on 127.0.0.1; 0 takes a free one',
      wholeNumber({ min: 0, max: 65_535 }),
      0,
    )
    .option('--kubeconfig <file>', 'where to write how to reach it; else a file that goes with it')
    .option(
      '--speed <factor>',
      'simulated seconds a second, or max: as fast as it can',
      parseSpeed,
      1,
    )
    .option(
      '--seed <number>',
      'chance: the same seed repeats a run',
      wholeNumber({ min: 0, max: 2 ** 31 }),
    )
    .option('--scenario <file>', 'nodes, and what happens when')
    .option('--duration <duration>', 'simulated time after which it ends; else never')
    .option('--events <file>', 'where to write every change, a line of JSON each')
    .action(async (flags: ClusterFlags) => {
      const { runCluster } = await import('./cluster/main.ts')
      process.exitCode = await runCluster(flags)
    })
}

const wholeNumber =
  ({ min, max }: { readonly min: number; readonly max: number }) =>
  (text: string): number => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= min && value <= max) return value
    throw new InvalidArgumentError(`Expected a whole number from ${min} to ${max}.`)
  }

const parseSpeed = (text: string): Speed => {
  if (text === 'max') return text
  const factor = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (factor >= 0.01 && factor <= 100_000) return factor
  throw new InvalidArgumentError('Expected max, or a number from 0.01 to 100000.')
}

const addMarketFlags = (command: Command): Command =>
  command
    .option('-f, --file <file>', 'the market, JSON or YAML; - is standard input', '-')
    .addOption(
      new Option('--capacity <cpu>', 'what is shared, such as 3600m; wins over the file').argParser(
        parseCapacity,
      ),
    )
    .addOption(
      new Option('--mechanism <name>', 'how it is shared; wins over the file').choices(
        mechanismNames,
      ),
    )

type Cli = typeof import('./cli/main.ts')
const loadCli = async (): Promise<Cli> => import('./cli/main.ts')

/** As in the file: a quantity, and what YAML would read as a number is millicores. */
const bareNumber = /^[-+]?(\.\d+|\d+(\.\d*)?)(e[-+]?\d+)?$/i

function parseCapacity(text: string): Millicores {
  try {
    return parseCpu(bareNumber.test(text) ? Number(text) : text)
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message)
  }
}

function parsePrice(text: string): number {
  const price = Number(text)
  if (text.trim() !== '' && price >= 0 && price < Infinity) return price
  throw new InvalidArgumentError(`expected a number of 0 or more, got "${text}"`)
}
