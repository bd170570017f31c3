/** Hints as a test writes them: `0* 1* 01`, the nodes of each, * if preferred; `any` for all nodes. */
import type { Hint, HintList } from '../../src/core/cpu/hint.ts'

export const hintsIn = (text: string): Hint[] =>
  text
    .split(' ')
    .filter((part) => part !== '')
    .map((part) => {
      const nodes = part.replace('*', '')
      return {
        affinity: nodes === 'any' ? null : nodes.split('').map(Number),
        preferred: part.endsWith('*'),
      }
    })

export const shownHints = (hints: HintList): string =>
  hints === null ? 'no preference' : hints.map(shownHint).join(' ')

export const shownHint = ({ affinity, preferred }: Hint): string =>
  `${affinity === null ? 'any' : affinity.join('')}${preferred ? '*' : ''}`
