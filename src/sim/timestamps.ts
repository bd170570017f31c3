/** Times as Kubernetes writes them, from milliseconds since 1970. */

let second = Number.NaN
let written = ''

/** metav1.Time: `2026-11-16T02:25:32Z`. The last one is kept: many writes happen in one second. */
export function timeOf(wall: number): string {
  const whole = Math.floor(wall / 1000)
  if (whole !== second) {
    written = `${new Date(whole * 1000).toISOString().slice(0, 19)}Z`
    second = whole
  }
  return written
}

/** metav1.MicroTime: `2026-11-16T02:25:32.123000Z`. */
export const microTimeOf = (wall: number): string => {
  const part = String(Math.floor(wall) % 1000).padStart(3, '0')
  return `${timeOf(wall).slice(0, -1)}.${part}000Z`
}
