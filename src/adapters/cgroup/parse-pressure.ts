/**
 * PSI of the CPU (Documentation/accounting/psi.rst), of a group or of the machine:
 *
 *   some avg10=12.50 avg60=3.10 avg300=0.66 total=6045654     full ... total=120
 *
 * A text cut short is refused: every line ends with a line feed. Kernels before 5.13 have no `full`.
 */
import type { CpuPressure } from '../../ports/cgroup.ts'

const average = String.raw`(\d{1,3}\.\d\d)`
const shape = new RegExp(
  String.raw`^some avg10=${average} avg60=${average} avg300=${average} total=(\d{1,20})\n` +
    String.raw`(?:full avg10=${average} avg60=${average} avg300=${average} total=(\d{1,20})\n)?$`,
)

/** No text on a kernel that does not tell. */
export function parsePressure(text: string | undefined): CpuPressure | undefined {
  if (text === undefined) return undefined
  const found = shape.exec(text)
  if (found === null) {
    throw new Error(`parsing cpu.pressure: expected a line of PSI, got ${JSON.stringify(text)}`)
  }
  const [, avg10, , , someTotal, , , , fullTotal] = found
  return {
    someRatio: Math.min(1, Number(avg10) / 100),
    someMicros: Number(someTotal),
    ...(fullTotal !== undefined && { fullMicros: Number(fullTotal) }),
  }
}
