/** What the declarations of several commands share: flags, how values are read, examples. */
import { type Command, InvalidArgumentError, Option } from 'commander'

import { outputFormats } from '../output.ts'

/** A command's work, which gives the exit code. Its arguments are those that commander hands over. */
export type Run = (...args: never[]) => Promise<number>

export const runs = (command: Command, run: Run): Command =>
  command.action(async (...args: unknown[]) => {
    process.exitCode = await run(...(args as never[]))
  })

export type Example = { readonly command: string; readonly about: string }

const shown = new WeakMap<Command, readonly Example[]>()

export function addExamples(command: Command, ...examples: readonly Example[]): Command {
  shown.set(command, examples)
  const width = Math.max(...examples.map((one) => one.command.length))
  const lines = examples.map(({ command, about }) => `  ${command.padEnd(width)}  # ${about}`)
  return command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`)
}

export const examplesOf = (command: Command): readonly Example[] => shown.get(command) ?? []

export const kubeconfigFlag = [
  '--kubeconfig <file>',
  'how to reach the cluster; else KUBECONFIG, the service account, ~/.kube/config',
] as const

export const addConnectionFlags = (command: Command): Command =>
  command
    .option(...kubeconfigFlag)
    .option('--context <context>', 'which context of the kubeconfig; else its current one')

export const addLogFlag = (command: Command): Command =>
  command.addOption(
    new Option('--log-level <level>', 'minimum log level, as JSON lines on stderr')
      .choices(['debug', 'info', 'warn', 'error'])
      .default('info'),
  )

export const addServiceFlags = (command: Command, listen: string): Command =>
  addLogFlag(
    command
      .option(...kubeconfigFlag)
      .option(
        '--listen <address>',
        'where to serve /healthz, /readyz and /metrics; :PORT is every address',
        listen,
      ),
  )

/** Of a command that reads a cluster and prints what it finds. */
export const addReadFlags = (command: Command): Command =>
  addConnectionFlags(
    command
      .addOption(
        new Option('-o, --output <format>', 'how to print it')
          .choices(outputFormats)
          .default('table'),
      )
      .option('-w, --watch', 'print it again and again', false)
      .option('--interval <duration>', 'from one reading to the next', '2s'),
  )

export const addNamespaceFlag = (command: Command, meaning: string): Command =>
  command.option('-n, --namespace <namespace>', meaning)

/** What is shown of a cluster; all of it, if nothing is said. */
export const addScopeFlags = (
  command: Command,
  meaning: { readonly namespace: string; readonly selector: string },
): Command =>
  addNamespaceFlag(command, meaning.namespace)
    .option('-A, --all-namespaces', 'of all namespaces, which is the default', false)
    .option('-l, --selector <labels>', meaning.selector)

export const wholeNumber =
  ({ min, max }: { readonly min: number; readonly max: number }) =>
  (text: string): number => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= min && value <= max) return value
    throw new InvalidArgumentError(`Expected a whole number from ${min} to ${max}.`)
  }

const parseSpeed = (text: string): number | 'max' => {
  if (text === 'max') return text
  const factor = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (factor >= 0.01 && factor <= 100_000) return factor
  throw new InvalidArgumentError('Expected max, or a number from 0.01 to 100000.')
}

export const addSpeedFlag = (command: Command, usual: number): Command =>
  command.option(
    '--speed <factor>',
    'simulated seconds a second, or max: as fast as it can',
    parseSpeed,
    usual,
  )

export const addSeedFlag = (command: Command): Command =>
  command.option(
    '--seed <number>',
    'random seed: the same one repeats a run',
    wholeNumber({ min: 0, max: 2 ** 31 }),
  )

export const addPortFlag = (command: Command, usual: number): Command =>
  command.option(
    '--port <port>',
    'on 127.0.0.1; 0 takes a free one',
    wholeNumber({ min: 0, max: 65_535 }),
    usual,
  )
