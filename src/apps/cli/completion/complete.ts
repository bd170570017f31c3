/**
 * What may come next on the command line, from the commands themselves: so a script never knows less
 * than the program. The answer is cobra's, so that kubectl can ask, too: a candidate a line, with a tab
 * and its description, and at the end `:4`, or `:0` where file names are wanted.
 */
import type { Argument, Command, Option } from 'commander'

import { visible } from '../../../core/visible.ts'

export type Candidate = { readonly word: string; readonly about?: string }

export type Completion =
  | { readonly kind: 'words'; readonly candidates: readonly Candidate[] }
  | { readonly kind: 'files' }
  /** Names that only the cluster or the kubeconfig knows. */
  | { readonly kind: 'names'; readonly of: NameKind; readonly prefix: string }

/** As placeholders of arguments and flags call them. */
export const nameKinds = ['pod', 'node', 'allocation', 'namespace', 'context', 'reason'] as const
export type NameKind = (typeof nameKinds)[number]

const fileKinds: ReadonlySet<string | undefined> = new Set(['file', 'folder', 'path'])

export type Typed = {
  readonly completion: Completion
  /** Flags that were given with a value so far, by their long names. */
  readonly flags: Readonly<Record<string, string>>
}

/** Of the words after the program's name; the last one is being typed, and may be empty. */
export function completeWords(program: Command, words: readonly string[]): Typed {
  const before = words.slice(0, -1)
  const typed = words.at(-1) ?? ''
  const flags: Record<string, string> = {}
  let command = program
  let argument = 0
  let open: Option | undefined
  for (const word of before) {
    if (word === '=') continue // bash takes --flag=value apart
    if (open !== undefined) {
      flags[open.name()] = word
      open = undefined
    } else if (word.startsWith('-')) {
      const [name = '', value] = word.split('=', 2)
      const option = optionOf(command, name)
      if (option === undefined || option.isBoolean() || option.negate) continue
      if (value === undefined) open = option
      else flags[option.name()] = value
    } else {
      const child = argument === 0 ? childOf(command, word) : undefined
      if (child === undefined) argument += 1
      else command = child
    }
  }
  return { completion: next(command, { typed: typed === '=' ? '' : typed, argument, open }), flags }
}

type Point = {
  readonly typed: string
  /** How many arguments of the command are there. */
  readonly argument: number
  /** The flag whose value is typed. */
  readonly open: Option | undefined
}

function next(command: Command, { typed, argument, open }: Point): Completion {
  if (open !== undefined) return valuesOf(open, typed)
  if (typed.startsWith('-')) {
    const [name = '', value] = typed.split('=', 2)
    const option = value === undefined ? undefined : optionOf(command, name)
    if (option === undefined) return startingWith(typed, flagsOf(command))
    const values = valuesOf(option, value ?? '')
    return values.kind === 'words' ? prefixed(`${name}=`, values.candidates) : values
  }
  if (command.commands.length > 0) {
    return startingWith(typed, argument === 0 ? childrenOf(command) : [])
  }
  const wanted = command.registeredArguments[argument]
  return wanted === undefined ? startingWith(typed, []) : valuesOf(wanted, typed)
}

function valuesOf(wanted: Option | Argument, typed: string): Completion {
  if (wanted.argChoices !== undefined) {
    return { kind: 'words', candidates: candidatesOf(typed, wanted.argChoices) }
  }
  const placeholder = 'flags' in wanted ? /[<[]([^\]>.]+)/.exec(wanted.flags)?.[1] : wanted.name()
  const kind = nameKinds.find((one) => one === placeholder)
  if (kind !== undefined) return { kind: 'names', of: kind, prefix: typed }
  return fileKinds.has(placeholder) ? { kind: 'files' } : startingWith(typed, [])
}

export const candidatesOf = (typed: string, words: readonly string[]): Candidate[] =>
  words.filter((word) => word.startsWith(typed)).map((word) => ({ word }))

const startingWith = (typed: string, candidates: readonly Candidate[]): Completion => ({
  kind: 'words',
  candidates: candidates.filter(({ word }) => word.startsWith(typed)),
})

const prefixed = (prefix: string, candidates: readonly Candidate[]): Completion => ({
  kind: 'words',
  candidates: candidates.map(({ word }) => ({ word: prefix + word })),
})

const childrenOf = (command: Command): Candidate[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .map((child) => ({ word: child.name(), about: child.description() }))

const childOf = (command: Command, word: string): Command | undefined =>
  command.commands.find((child) => child.name() === word || child.aliases().includes(word))

const flagsOf = (command: Command): Candidate[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .map(({ long, short, description }) => ({ word: long ?? short ?? '', about: description }))

const optionOf = (command: Command, name: string): Option | undefined =>
  command.options.find(({ long, short }) => long === name || short === name)

const noFiles = ':4'
const files = ':0'

export const answerOf = (candidates: readonly Candidate[]): string =>
  [
    ...candidates.map(({ word, about }) =>
      about === undefined ? visible(word) : `${visible(word)}\t${visible(about)}`,
    ),
    noFiles,
    '',
  ].join('\n')

export const filesAnswer = `${files}\n`
