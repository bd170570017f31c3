/** A policy from where it was kept. Whatever is not exactly one is refused: a wrong value would act. */
import { InvalidInput } from '../errors.ts'
import { nearest } from '../nearest.ts'
import { actions, type Lesson, type Lessons, type Policy } from './policy.ts'
import { situationNames } from './situation.ts'

const VERSION = 1

export function readPolicy(value: unknown): Policy {
  const { version, situations } = fieldsOf(value, {
    path: 'policy',
    known: ['version', 'situations'],
  })
  if (version !== VERSION) refuse('policy.version', String(VERSION), version)
  const found = fieldsOf(situations, { path: 'policy.situations', known: [...situationNames] })
  const entries = Object.entries(found).map(
    ([name, lessons]) => [name, readLessons(lessons, `policy.situations["${name}"]`)] as const,
  )
  return { version: VERSION, situations: Object.fromEntries(entries) }
}

function readLessons(value: unknown, path: string): Lessons {
  const found = fieldsOf(value, { path, known: actions })
  const entries = Object.entries(found).map(
    ([action, lesson]) => [action, readLesson(lesson, `${path}.${action}`)] as const,
  )
  return Object.fromEntries(entries)
}

function readLesson(lesson: unknown, path: string): Lesson {
  const { value, tries } = fieldsOf(lesson, { path, known: ['value', 'tries'] })
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    return refuse(`${path}.value`, 'a finite number', value)
  }
  if (typeof tries !== 'number' || !Number.isSafeInteger(tries) || tries < 1) {
    return refuse(`${path}.tries`, 'a whole number from 1', tries)
  }
  return { value, tries }
}

type Expected = { readonly path: string; readonly known: readonly string[] }

function fieldsOf(value: unknown, { path, known }: Expected): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse(path, 'an object', value)
  }
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue
    const near = nearest(key, known)
    const hint = near === undefined ? '' : ` (perhaps ${near})`
    throw new InvalidInput(`reading ${path}: ${JSON.stringify(key)} is not known${hint}`)
  }
  return value as Readonly<Record<string, unknown>>
}

function refuse(path: string, expected: string, got: unknown): never {
  throw new InvalidInput(`reading ${path}: expected ${expected}, got ${JSON.stringify(got)}`)
}
