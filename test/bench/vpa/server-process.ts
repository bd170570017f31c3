/**
 * What runs in a pod, on Node alone: `serve 8` is an HTTP server with 8 processes that take from one
 * queue, where `GET /4000` burns 4 ms of CPU time before it is answered; `burn 400` uses 400m for ever.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { readSync, writeSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'

const port = 8080
/** Of each worker, until its code is compiled. */
const warmUpMicros = 30_000
/** No threads besides the one that serves. */
const lean = ['--single-threaded', '--v8-pool-size=0']

const usedMicros = (): number => {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** CPU time of this process: time in which it waits for a CPU or for quota does not count. */
function burn(micros: number): void {
  const until = usedMicros() + micros
  while (usedMicros() < until);
}

function serve(workers: number): void {
  const waiting = new Map<number, ServerResponse>()
  const first = startWorkers(workers)
  const { stdin, stdout } = first
  if (stdin === null || stdout === null) throw new Error('starting workers: expected their pipes')
  let rest = Buffer.alloc(0)
  stdout.on('data', (chunk: Buffer) => {
    const said = Buffer.concat([rest, chunk])
    const whole = said.length - (said.length % 8)
    for (let at = 0; at < whole; at += 8) {
      const index = said.readDoubleLE(at)
      waiting.get(index)?.end('done\n')
      waiting.delete(index)
    }
    rest = said.subarray(whole)
  })
  let asked = 0
  const server = createServer(({ url = '' }, response) => {
    asked += 1
    waiting.set(asked, response)
    stdin.write(Buffer.from(Float64Array.of(asked, Number(url.slice(1))).buffer))
  })
  server.keepAliveTimeout = 0 // who asks keeps its connections
  server.listen(port)
}

/** The first one starts the others: they share its standard input and output. */
function startWorkers(count: number): ChildProcess {
  const [, script = ''] = process.argv
  const args = [...lean, script, 'work', String(count)]
  const first = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  first.on('exit', (code) => process.exit(code ?? 1))
  return first
}

/** A read takes a whole record: which it is, and its CPU time. */
function work(count: number): void {
  const [, script = ''] = process.argv
  if (count > 1)
    spawn(process.execPath, [...lean, script, 'work', String(count - 1)], { stdio: 'inherit' })
  burn(warmUpMicros)
  const record = new Float64Array(2)
  const bytes = new Uint8Array(record.buffer)
  for (;;) {
    for (let filled = 0; filled < bytes.length;) {
      const read = readSync(0, bytes, filled, bytes.length - filled, null)
      if (read === 0) return
      filled += read
    }
    const [index = 0, cpuMicros = 0] = record
    burn(cpuMicros)
    writeSync(1, Buffer.from(Float64Array.of(index).buffer))
  }
}

/** What it misses it hardly makes up for. */
function burnSteadily(millicores: number): void {
  const most = 100 * millicores
  let [owed, at, used] = [0, performance.now(), usedMicros()]
  setInterval(() => {
    const [now, usedNow] = [performance.now(), usedMicros()]
    owed = Math.min(most, owed + (now - at) * millicores - (usedNow - used))
    ;[at, used] = [now, usedNow]
    if (owed > 0) burn(owed)
  }, 10)
}

const modes: Readonly<Record<string, (amount: number) => void>> = {
  serve,
  work,
  burn: burnSteadily,
}
const [, , mode = '', amount = ''] = process.argv
process.on('SIGTERM', () => process.exit(0)) // the first process of a pod has no default for it
const run = modes[mode]
if (run === undefined) throw new Error(`expected serve, work or burn, got ${mode}`)
run(Number(amount))
