/** The part of the reference page that tells what may be written as a load. */
import { loadGrammar } from '../src/apis/load-grammar.ts'

const about =
  'A load says what each pod of a workload does with CPU: a kind, then its fields as `name=value`, in any order, with spaces between. On any pod of an embedded cluster it is the annotation `sim.mbcas.io/load`, or `sim.mbcas.io/load.NAME` for the container of that name; one that is changed is followed at once, without a restart: its times begin anew, and requests that wait go on waiting.'

export function loadSections(): string {
  const kinds = Object.entries(loadGrammar).map(([kind, { about, examples, fields }]) => {
    const rows = Object.entries(fields).map(
      ([name, { value, about }]) => `| \`${name}\` | ${value} | ${about} |`,
    )
    const shown = examples.map((example) => `- \`${example}\``)
    const table = ['| field | value | meaning |', '|---|---|---|', ...rows]
    return [`### ${kind}`, '', about, '', ...shown, '', ...table, ''].join('\n')
  })
  return ['## loads', '', about, '', ...kinds].join('\n').trimEnd() + '\n'
}
