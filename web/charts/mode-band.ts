/** Draws the mode of a node's market as a strip along the top of a chart. */
import type uPlot from 'uplot'

import type { NodeHistory } from '../../src/apis/dashboard.ts'
import type { Colours } from './colours.ts'

const HEIGHT = 8

export function drawModeBand(
  plot: uPlot,
  colours: Colours,
  { at, mode }: Pick<NodeHistory, 'at' | 'mode'>,
): void {
  const { ctx } = plot
  const { left, top, width } = plot.bbox
  const clamp = (x: number): number => Math.max(left, Math.min(left + width, x))
  ctx.save()
  for (let i = 0; i < at.length;) {
    const now = mode[i] ?? null
    let end = i + 1
    while (end < at.length && (mode[end] ?? null) === now) end += 1
    if (now !== null) {
      const from = clamp(plot.valToPos(at[i] ?? 0, 'x', true))
      const to = clamp(plot.valToPos(at[Math.min(end, at.length - 1)] ?? 0, 'x', true))
      ctx.fillStyle = colours[`band-${now}`]
      ctx.fillRect(from, top, to - from, HEIGHT * devicePixelRatio)
    }
    i = end
  }
  ctx.restore()
}
