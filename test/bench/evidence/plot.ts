/** A plot of what each of many scenarios came to, sorted by each arm for itself, as an SVG of its own. */
import { escapeHtml } from '../../../src/core/escape-html.ts'

export type Curve = {
  readonly name: string
  readonly colour: string
  /** Ratios from 0 to 1. */
  readonly values: readonly number[]
}

const size = { width: 760, height: 320, left: 52, right: 150, top: 34, bottom: 40 }
const ticks = [0, 0.25, 0.5, 0.75, 1]

export function plotSorted(title: string, curves: readonly Curve[]): string {
  const { width, height, left, right, top, bottom } = size
  const most = Math.max(1, ...curves.map(({ values }) => values.length - 1))
  const x = (i: number): number => left + ((width - left - right) * i) / most
  const y = (ratio: number): number => height - bottom - (height - top - bottom) * ratio
  const grid = ticks.map(
    (ratio) =>
      `<path d="M${left} ${y(ratio).toFixed(1)}H${width - right}" stroke="#ddd"/>` +
      `<text x="${left - 8}" y="${(y(ratio) + 4).toFixed(1)}" text-anchor="end">${ratio * 100} %</text>`,
  )
  const lines = curves.map(({ colour, values }) => {
    const sorted = values.toSorted((a, b) => a - b)
    const points = sorted.map((value, i) => `${x(i).toFixed(1)} ${y(value).toFixed(1)}`)
    return `<path d="M${points.join('L')}" fill="none" stroke="${colour}" stroke-width="2"/>`
  })
  const names = curves.map(({ name, colour }, i) => {
    const at = top + 10 + 20 * i
    return (
      `<path d="M${width - right + 14} ${at - 4}h20" stroke="${colour}" stroke-width="3"/>` +
      `<text x="${width - right + 40}" y="${at}">${escapeHtml(name)}</text>`
    )
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" fill="#333" role="img" aria-label="${escapeHtml(title)}">`,
    '<rect width="100%" height="100%" fill="#fff"/>',
    `<text x="${left}" y="18" font-size="14">${escapeHtml(title)}</text>`,
    ...grid,
    ...lines,
    ...names,
    `<text x="${left}" y="${height - 12}">scenarios, the best of each arm first</text>`,
    '</svg>',
    '',
  ].join('\n')
}
