/** Draws the phases of a scenario, and the moment that a link points to, through a chart. */
import type uPlot from 'uplot'

import type { Colours } from './colours.ts'
import type { Mark } from './line.ts'

type Drawn = {
  readonly marks: readonly Mark[]
  readonly moment?: number | undefined
  readonly hasNames: boolean
}

export function drawMarks(plot: uPlot, colours: Colours, { marks, moment, hasNames }: Drawn): void {
  const { ctx } = plot
  const { left, top, width, height } = plot.bbox
  const scale = devicePixelRatio
  ctx.save()
  ctx.beginPath()
  ctx.rect(left, top, width, height)
  ctx.clip()
  ctx.font = `${11 * scale}px system-ui, sans-serif`
  ctx.textBaseline = 'bottom'
  ctx.textAlign = 'left'

  const stroke = (at: number, colour: string, dash: readonly number[]): number => {
    const x = Math.round(plot.valToPos(at, 'x', true))
    ctx.strokeStyle = colour
    ctx.lineWidth = scale
    ctx.setLineDash(dash.map((length) => length * scale))
    ctx.beginPath()
    ctx.moveTo(x + 0.5, top)
    ctx.lineTo(x + 0.5, top + height)
    ctx.stroke()
    return x
  }

  for (const { at, name } of marks) {
    const x = stroke(at, colours.muted, [2, 4])
    if (!hasNames) continue
    ctx.fillStyle = colours.muted
    ctx.fillText(name, x + 5 * scale, top + height - 4 * scale)
  }
  if (moment !== undefined) stroke(moment, colours.link, [])
  ctx.restore()
}
