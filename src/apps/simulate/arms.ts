/** Who may be compared. */
import { type ArmName, armNames } from '../../core/comparison/arm-names.ts'
import { InvalidInput } from '../../core/errors.ts'
import { nearest } from '../../core/nearest.ts'

/** From `static,vpa,mbcas`. */
export function parseArms(text: string): ArmName[] {
  const arms = text.split(',').map((word) => parseArm(word.trim()))
  const again = arms.find((arm, i) => arms.indexOf(arm) < i)
  if (again === undefined) return arms
  throw new InvalidInput(`--compare: expected every controller once, got ${again} twice`)
}

function parseArm(word: string): ArmName {
  const found = armNames.find((name) => name === word)
  if (found !== undefined) return found
  const meant = nearest(word, armNames)
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`
  const got = word === '' ? 'nothing' : `"${word}"`
  throw new InvalidInput(`--compare: expected ${armNames.join(', ')}, got ${got}${hint}`)
}
