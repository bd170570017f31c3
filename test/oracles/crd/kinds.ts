import { formats, keywords } from './keyword-kinds.ts'
/** All kinds of our own making. */
import type { Kind } from './kind.ts'
import { celBasics, functions, newer, transitions } from './rule-kinds.ts'
import { defaults, junctors, lists, root } from './structure-kinds.ts'

export const kinds: readonly Kind[] = [
  keywords,
  formats,
  junctors,
  lists,
  defaults,
  celBasics,
  transitions,
  functions,
  newer,
  root,
]
