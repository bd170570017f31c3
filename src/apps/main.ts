/** The command line: every subcommand in one place; its work is loaded only when it runs. */
import { Command } from 'commander'

import { ownVersion } from '../adapters/own-version.ts'
import { boundedLines, visibleLines } from '../core/visible.ts'
import { addAgent } from './cli/commands/agent.ts'
import { addCluster } from './cli/commands/cluster.ts'
import { addCompletion } from './cli/commands/completion.ts'
import { addController } from './cli/commands/controller.ts'
import { addCpu } from './cli/commands/cpu.ts'
import { addDashboard } from './cli/commands/dashboard.ts'
import { addDemo } from './cli/commands/demo.ts'
import { addExplain } from './cli/commands/explain.ts'
import { addMarket } from './cli/commands/market.ts'
import { addSimulate } from './cli/commands/simulate.ts'
import { addStatus } from './cli/commands/status.ts'
import { addTop } from './cli/commands/top.ts'
import { addVersion } from './cli/commands/version.ts'

/** Also in docs/reference/cli.md. */
export const exitCodes = {
  0: 'done',
  1: 'done, and the answer is no',
  2: 'bad input, or a cluster that cannot be reached or refuses; the reason and the remedy are on stderr',
  69: 'Node is too old; or, from a checkout, it could not be built',
  70: 'a bug of ours',
  74: 'the output could not be written',
} as const

export function buildProgram(): Command {
  const program = new Command('mbcas')
    .description('Shares the CPUs and GPUs of a Kubernetes cluster by a market')
    .version(ownVersion())
    .addHelpText('after', exitCodeHelp)
  const cli = async () => import('./cli/main.ts')
  const market = async () => import('./cli/market/main.ts')
  const cpu = async () => import('./cli/cpu/main.ts')
  const completion = async () => import('./cli/completion/main.ts')
  addDemo(
    program,
    lazily(async () => (await import('./demo/main.ts')).runDemo),
  )
  addStatus(
    program,
    lazily(async () => (await cli()).runStatus),
  )
  addTop(
    program,
    lazily(async () => (await cli()).runTop),
  )
  addExplain(program, {
    pod: lazily(async () => (await cli()).runExplain('pod')),
    node: lazily(async () => (await cli()).runExplain('node')),
    allocation: lazily(async () => (await cli()).runExplain('allocation')),
    reason: lazily(async () => (await cli()).runExplainReason),
  })
  addMarket(program, {
    clear: lazily(async () => (await market()).runMarketClear),
    verify: lazily(async () => (await market()).runMarketVerify),
  })
  addCpu(program, {
    question: (name) => lazily(async () => (await cpu()).answerQuestions(name)),
    plan: lazily(async () => (await cpu()).runCpuPlan),
  })
  addSimulate(
    program,
    lazily(async () => (await import('./simulate/main.ts')).runSimulate),
  )
  addCluster(
    program,
    lazily(async () => (await import('./cluster/main.ts')).runCluster),
  )
  addDashboard(
    program,
    lazily(async () => (await import('./dashboard/main.ts')).runDashboard),
  )
  addAgent(program, {
    onNode: lazily(async () => (await import('./agent/main.ts')).runAgent),
    onHost: lazily(async () => (await import('./agent/host/main.ts')).runHostAgent),
  })
  addController(
    program,
    lazily(async () => (await import('./controller/main.ts')).runControllerProcess),
  )
  addVersion(
    program,
    lazily(async () => (await cli()).runVersion),
  )
  addCompletion(program, {
    script: lazily(async () => (await completion()).runCompletion),
    candidates: async (words: readonly string[]) =>
      (await completion()).runComplete(program, words),
  })
  // Settings are not inherited by commands that are there already, so they come last.
  const settle = (command: Command): void => {
    command
      .exitOverride()
      .showHelpAfterError('(run with --help to see what is known)')
      .configureOutput({
        writeErr: (text) => void process.stderr.write(visibleLines(boundedLines(text))),
      })
    command.commands.forEach(settle)
  }
  settle(program)
  return program
}

type Work<Args extends unknown[]> = (...args: Args) => Promise<number>

const lazily =
  <Args extends unknown[]>(load: () => Promise<Work<Args>>): Work<Args> =>
  async (...args) =>
    (await load())(...args)

const exitCodeHelp = `
Exit codes:
${Object.entries(exitCodes)
  .map(([code, meaning]) => `  ${code.padStart(2)}  ${meaning}`)
  .join('\n')}

mbcas COMMAND --help shows flags and examples. As a plugin of kubectl it is kubectl mbcas.`
