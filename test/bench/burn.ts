/** Work of a known amount of CPU time, by the clock that all processes of the machine share. */

export const nowMicros = (): number => Number(process.hrtime.bigint() / 1000n)

const still = new Int32Array(new SharedArrayBuffer(4))

/** Sleepers wake up late: who wants to be in time wakes up early, and spins. */
export function sleepUntil(moment: number, earlyMillis = 0.2): void {
  const millis = (moment - nowMicros()) / 1000 - earlyMillis
  if (millis > 0) Atomics.wait(still, 0, 0, millis)
}

/** Of the whole process. */
const cpuMicros = (): number => {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** Time in which the process waits for a CPU or for quota does not count. */
export function burn(micros: number): void {
  const until = cpuMicros() + micros
  while (cpuMicros() < until);
}
