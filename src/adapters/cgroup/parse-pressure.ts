/**
 * PSI of the CPU (Documentation/accounting/psi.rst) of a group:
 *
 *   some avg10=12.50 avg60=3.10 avg300=0.66 total=6045654     full ... total=120
 *
 * `some` is the time in which a task could have run but waited, for quota too: a loop alone on its CPU
 * at 20 % for 2.5 s has 2.046 s, of them 2.035 throttled.
 * A text cut short is refused: every line ends with a line feed. Kernels before 5.13 have no `full`.
 */
const averages = String.raw`avg10=\d{1,3}\.\d\d avg60=\d{1,3}\.\d\d avg300=\d{1,3}\.\d\d`
const shape = new RegExp(
  String.raw`^some ${averages} total=(\d{1,20})\n(?:full ${averages} total=\d{1,20}\n)?$`,
)

/** Microseconds of `some`; no text on a kernel that does not tell. */
export function parsePressure(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const found = shape.exec(text)
  if (found === null) {
    throw new Error(`parsing cpu.pressure: expected a line of PSI, got ${JSON.stringify(text)}`)
  }
  return Number(found[1])
}
