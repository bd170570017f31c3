/** The executable. */
import { inspect } from 'node:util'

import { CommanderError } from 'commander'

import { whyTooOld } from './adapters/own-version.ts'
import { buildProgram } from './apps/main.ts'
import { InvalidInput } from './core/errors.ts'
import { boundedLines, visibleLines } from './core/visible.ts'
import { ApiError, ConnectionFailed } from './ports/kube.ts'

/** What the cluster refuses, or a cluster that is not there, is no bug of ours. */
const isForTheOperator = (error: unknown): error is Error =>
  error instanceof InvalidInput || error instanceof ApiError || error instanceof ConnectionFailed

// A reader that has seen enough, such as `head`, is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  console.error(`mbcas: writing the output: ${error.message}`)
  process.exit(74)
})

// Nor does a log that nobody reads any longer end what it tells of.
process.stderr.on('error', () => {})

const tooOld = whyTooOld(process.versions.node)
if (tooOld !== undefined) {
  console.error(`mbcas: ${tooOld}`)
  process.exit(69)
}

// What each code means: `exitCodes` of apps/main.ts.
try {
  await buildProgram().parseAsync()
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
  else if (isForTheOperator(error)) {
    console.error(visibleLines(boundedLines(error.message)).replace(/^/gm, 'mbcas: '))
    process.exitCode = 2
  } else {
    console.error(visibleLines(`mbcas: this is a bug: ${inspect(error)}`))
    process.exitCode = 70
  }
}
