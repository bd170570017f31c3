import type { ComparisonView } from '../../../apis/dashboard.ts'
import type { ScenarioFile } from '../../../apis/scenario-file.ts'
import type { ArmResult } from '../../../core/comparison/arm-result.ts'
import {
  figures,
  leadersIn,
  missedByWorkload,
  showFigure,
} from '../../../core/comparison/figures.ts'
/** A comparison as one file that needs nothing else: no script, no request. */
import { whatDiffers } from '../../../core/comparison/what-differs.ts'
import { type Html, html } from './html.ts'
import { drawPlot, type Line, type Moment, roundUp, showTime } from './plot.ts'
import { style } from './style.ts'

export type Report = {
  readonly view: ComparisonView
  readonly scenario: Pick<ScenarioFile, 'about' | 'phases' | 'warmUp'>
  readonly seed: number
  /** Simulated milliseconds since 1970 at which the scenario begins. */
  readonly start: number
  readonly duration: number
}

export function reportPage({ view, scenario, seed, start, duration }: Report): string {
  const { arms, verdicts } = view
  const differs = whatDiffers(arms.map(({ name }) => name))
  const said = differs === '' ? verdicts : [...verdicts, differs]
  const { phases } = scenario
  const page = html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>${view.scenario}: ${arms.map(({ name }) => name).join(', ')}</title>
      <style>
        ${{ html: style }}
      </style>
      <h1>${view.scenario}</h1>
      <p>${scenario.about}</p>
      <p class="quiet">
        The same load for each, seed ${seed}. The figures leave out the first
        ${scenario.warmUp / 1000} s; what is best in a row is bold.
      </p>
      <h2>Figures</h2>
      <div class="scroll">${figureTable(arms)}</div>
      <h2>What they say</h2>
      <ul>
        ${said.map((verdict) => html`<li>${verdict}</li>`)}
      </ul>
      <h2>Over time</h2>
      <ul class="key">
        ${legend.map(({ kind, what }) => html`<li>${sample(kind)}${what}</li>`)}
      </ul>
      ${phases.length === 0 ? [] : html`<p class="quiet">Upright lines: ${phaseWords(phases)}.</p>`}
      <div class="arms">${plotsOf(arms, { phases, start, duration })}</div>
    </html> `
  return page.html
}

function figureTable(arms: readonly ArmResult[]): Html {
  const [missed, ...others] = figures.map((figure) => {
    const leaders = leadersIn(figure, arms)
    const cells = arms.map((arm) => {
      const kind = leaders.includes(arm) ? 'lead' : ''
      return html`<td class="${kind}">${showFigure(figure, arm)}</td>`
    })
    return html`<tr>
      <th scope="row">${figure.what}</th>
      ${cells}
    </tr>`
  })
  const parts = missedByWorkload(arms).map(
    ({ what, texts }) =>
      html`<tr class="part">
        <th scope="row">${what}</th>
        ${texts.map((text) => html`<td>${text}</td>`)}
      </tr>`,
  )
  return html`<table>
    <thead>
      <tr>
        <td></td>
        ${arms.map(({ name }) => html`<th scope="col">${name}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${missed ?? []}${parts}${others}
    </tbody>
  </table>`
}

const legend: readonly { readonly kind: Line['kind']; readonly what: string }[] = [
  { kind: 'promised', what: 'CPU promised (requests)' },
  { kind: 'allowed', what: 'quotas together, where they are below twice the rest' },
  { kind: 'used', what: 'CPU used' },
  { kind: 'missing', what: 'pods that miss their target' },
]

const sample = (kind: Line['kind']): Html => {
  const isArea = kind === 'used' || kind === 'missing'
  const path = isArea ? 'M0 0H28V12H0Z' : 'M0 6H28'
  return html`<svg viewBox="0 0 28 12" aria-hidden="true">
    <path class="${kind}" d="${path}" />
  </svg>`
}

const phaseWords = (phases: readonly Moment[]): string =>
  phases.map(({ name, at }) => `${name} from ${showTime(at)}`).join(', ')

type Span = Pick<Report, 'start' | 'duration'> & { readonly phases: readonly Moment[] }

/** On one scale, so that arms can be compared by eye. */
function plotsOf(arms: readonly ArmResult[], { phases, start, duration }: Span): Html[] {
  const highest = (...columns: readonly (keyof ArmResult['history'])[]): number =>
    Math.max(...arms.flatMap(({ history }) => columns.flatMap((column) => history[column])), 0)
  // Quotas may add up to far more than there is: above twice what matters the line leaves the plot.
  const mostCores = roundUp(
    Math.min(highest('allowed', 'promised', 'used'), 2 * highest('promised', 'used')),
  )
  const mostPods = roundUp(highest('violating'))
  return arms.map(({ name, history }) => {
    const { promised, allowed, used, violating } = history
    const shared = { at: history.at.map((moment) => moment - start), end: duration, phases }
    return html`<section>
      <h3>${name}</h3>
      ${drawPlot({
        ...shared,
        title: 'CPU',
        unit: 'cores',
        most: mostCores,
        lines: [
          { kind: 'used', values: used },
          { kind: 'promised', values: promised },
          { kind: 'allowed', values: allowed },
        ],
      })}
      ${drawPlot({
        ...shared,
        title: 'Pods that miss their target',
        unit: 'pods',
        most: mostPods,
        isLow: true,
        lines: [{ kind: 'missing', values: violating }],
      })}
    </section>`
  })
}
