/** Feeds a target in a process of its own, which is ended when it makes no progress, and made anew. */
import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { Asked, Told } from './child.ts'
import { type Failure, inputOf } from './feed.ts'
import type { FuzzInput, FuzzTarget } from './target.ts'

/** CPU time for one input: of that a busy machine takes nothing away. A quick one needs a thousandth. */
const MOST_CPU_SECONDS = 10
/** Where only time as such is known, or somebody waits for what never comes. */
const MOST_SECONDS = 180
const POLL_MILLIS = 250
/** A target that hangs or aborts this often is not asked any more: each costs seconds. */
const MOST_ENDED = 5

export type Report = {
  readonly name: string
  readonly inputs: number
  readonly seconds: number
  readonly slowest: { readonly millis: number; readonly index: number }
  readonly findings: readonly Finding[]
}
export type Finding = Failure & { readonly index: number; count: number; file: string }

type Budget = {
  readonly seed: number
  readonly from: number
  readonly to: number
  /** By `performance.now()`. */
  readonly until: number
  readonly folder: string
}

export async function runTarget(target: FuzzTarget, budget: Budget): Promise<Report> {
  const { seed, from, to, until, folder } = budget
  const start = performance.now()
  const findings = new Map<string, Finding>()
  let slowest = { millis: 0, index: from }
  let child = startChild(target, seed, folder)
  let ended = 0
  let next = from
  const note = (failure: Failure & { readonly index: number }) => {
    const known = findings.get(failure.signature)
    if (known) known.count += 1
    else findings.set(failure.signature, { ...failure, count: 1, file: '' })
  }
  while (next < to && performance.now() < until && ended < MOST_ENDED) {
    const told = await child.ask({ do: 'feed', from: next, to })
    if (told.told === 'fed') {
      next = told.next
      told.failures.forEach(note)
      if (told.slowest.millis > slowest.millis) slowest = told.slowest
    } else if (told.told === 'ended') {
      ended += 1
      note({ signature: told.why, message: told.why, index: told.index })
      next = told.index + 1
      child = startChild(target, seed, folder)
    }
  }
  for (const finding of findings.values()) {
    const { index } = finding
    const told =
      finding.signature === finding.message ? undefined : await child.ask({ do: 'minimise', index })
    const input = told?.told === 'minimised' ? told.input : inputOf(target, seed, index)
    finding.file = keep(input, join(folder, `${target.name}-${seed}-${index}`))
    if (told?.told === 'ended') child = startChild(target, seed, folder)
  }
  child.end()
  const seconds = (performance.now() - start) / 1000
  return {
    name: target.name,
    inputs: next - from,
    seconds,
    slowest,
    findings: [...findings.values()],
  }
}

function keep(input: FuzzInput, file: string): string {
  writeFileSync(file, input)
  return file
}

type Ended = { readonly told: 'ended'; readonly why: string; readonly index: number }

function startChild(target: FuzzTarget, seed: number, folder: string) {
  const progress = join(folder, `.${target.name}.${process.pid}.at`)
  const child = fork(
    fileURLToPath(new URL('child.js', import.meta.url)),
    [target.name, String(seed), progress],
    {
      // What fits into none of our processes is found before it takes the machine.
      execArgv: ['--max-old-space-size=1024', '--enable-source-maps'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    },
  )
  let last = ''
  child.stderr
    ?.setEncoding('utf8')
    .on('data', (text: string) => (last = (last + text).slice(-2000)))
  const gone = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(`ended by ${signal ?? `exit ${code}`}`))
  })
  const at = () => positionIn(progress)
  return {
    ask: async (asked: Asked): Promise<Told | Ended> => {
      const watch = watchProgress(child, at)
      const answered = new Promise<Told>((resolve) =>
        child.once('message', (told: Told) => resolve(told)),
      )
      if (child.connected) child.send(asked)
      const told = await Promise.race([answered, gone])
      const hung = watch.stop()
      if (typeof told !== 'string') return told
      const said = /FATAL ERROR: .*|^\w*Error: .*/m.exec(last)?.[0] ?? ''
      const why = hung ?? `the process ${told}${said === '' ? '' : `: ${said}`}`
      return { told: 'ended', why, index: Math.max(0, at()) }
    },
    end: () => {
      child.kill('SIGKILL')
      rmSync(progress, { force: true })
    },
  }
}

function positionIn(file: string): number {
  try {
    const bytes = readFileSync(file)
    return bytes.length < 8 ? 0 : bytes.readDoubleLE(0)
  } catch {
    return 0 // not begun yet
  }
}

/** Kills a process that is at one input for too long; `stop` says so. */
function watchProgress(child: ChildProcess, position: () => number) {
  let [at, cpu, since] = [Number.NaN, 0, 0]
  let why: string | undefined
  const timer = setInterval(() => {
    const [now, used, time] = [position(), cpuSecondsOf(child.pid), performance.now()]
    if (now !== at) [at, cpu, since] = [now, used, time]
    if (used - cpu > MOST_CPU_SECONDS) why = `hangs: ${MOST_CPU_SECONDS} s of CPU time and no end`
    else if (time - since > MOST_SECONDS * 1000) why = `hangs: no end after ${MOST_SECONDS} s`
    if (why !== undefined) child.kill('SIGKILL')
  }, POLL_MILLIS)
  return {
    stop: () => {
      clearInterval(timer)
      return why
    },
  }
}

/** Linux counts in hundredths; elsewhere only the time as such is watched. */
function cpuSecondsOf(pid: number | undefined): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / 100
  } catch {
    return 0
  }
}
