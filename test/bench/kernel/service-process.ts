/**
 * A service in a group of its own: reads requests from its standard input, which is its queue, burns
 * the CPU time of one after the other, and at the end tells when each was done. It has no event loop
 * to speak of: a service that waits uses nothing. Of several workers each is such a process; they
 * share standard input, from which a read takes a whole request, and output.
 */
import { spawn } from 'node:child_process'
import { readSync, writeFileSync, writeSync } from 'node:fs'

import { burn, nowMicros } from '../burn.ts'

/** Until the code is compiled. */
const warmUpMicros = 30_000

/** Which it is, CPU time and the moment of giving up, as written by load-process.ts. */
const record = new Float64Array(3)
const bytes = new Uint8Array(record.buffer)

/** Waits for the next request; false when there will be none. */
function receive(): boolean {
  for (let filled = 0; filled < bytes.length;) {
    const read = readSync(0, bytes, filled, bytes.length - filled, null)
    if (read === 0) return false
    filled += read
  }
  return true
}

const [, script = '', workers = '1'] = process.argv
for (let i = 1; i < Number(workers); i += 1) {
  spawn(process.execPath, [...process.execArgv, script], { stdio: 'inherit' })
}
burn(warmUpMicros)
writeSync(1, 'r')
const done: number[] = []
while (receive()) {
  const [index = 0, cpuMicros = 0, untilMicros = 0] = record
  const isServed = nowMicros() <= untilMicros
  if (isServed) burn(cpuMicros)
  done.push(index, isServed ? nowMicros() : NaN)
}
writeFileSync(1, Buffer.from(Float64Array.from(done).buffer))
