/** What still differs between arms besides their law, in words: it stands beside every table. */
import type { ArmName } from './arm-names.ts'

const differences: Readonly<Record<ArmName, string>> = {
  static: 'limits as written, with the period of 100 ms of a kubelet',
  'static-burst': 'limits as written, with a period of 1 s and burst',
  unlimited: 'no limits, weights by requests',
  'by-weight': 'no limits, weights by requests times weights, which a kubelet does not write',
  'by-hand':
    'the same, and who has a target weighs 100 times more, which takes what others requested',
  'small-batch':
    'no limits, and who has no target requests a hundredth of it, so that nothing is kept free for it',
  vpa: 'eight days of history of this very load, neither targets nor weights',
  koordinator: 'weights count as requests, no targets',
  captain: 'weights count as requests, no targets',
  'captain-0.06': 'weights count as requests, no targets',
  'captain-0.2': 'weights count as requests, no targets',
  oracle: 'knows what will happen; nobody is measured by it',
  mbcas: 'requests, weights and targets, no history',
}

const isKnown = (name: string): name is ArmName => Object.hasOwn(differences, name)

/** Arms of which the same is true are named together. */
export function whatDiffers(names: readonly string[]): string {
  const groups = new Map<string, string[]>()
  for (const name of names.filter(isKnown)) {
    const said = differences[name]
    groups.set(said, [...(groups.get(said) ?? []), name])
  }
  const parts = Array.from(groups, ([said, who]) => `${who.join(', ')}: ${said}`)
  return parts.length < 2 ? '' : `What differs between them: ${parts.join('; ')}.`
}
