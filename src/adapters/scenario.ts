/** A scenario from a file, or one of those that come with the package by its name. */
import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

import { readScenario } from '../apis/read-scenario.ts'
import type { ScenarioFile } from '../apis/scenario-file.ts'
import { InvalidInput, named } from '../core/errors.ts'
import { nearest } from '../core/nearest.ts'
import { parseDocument } from './document.ts'
import { readRecordings } from './recordings.ts'
import { nameOf, readText } from './text-file.ts'

export type OpenedScenario = {
  /** Its own, or its file's. */
  readonly name: string
  /** `-` is standard input. */
  readonly path: string
  readonly scenario: ScenarioFile
}

/** In the package, beside what was built. */
const folder = new URL('../../../examples/scenarios/', import.meta.url)
const ending = /\.(ya?ml|json)$/

export async function openScenario(fileOrName: string): Promise<OpenedScenario> {
  const path = pathOf(fileOrName)
  const document = parseDocument(await readText(path), nameOf(path))
  const scenario = await blaming(path, () => {
    const read = readScenario(document, nameOf(path))
    return { ...read, recordings: readRecordings(read, dirname(path)) }
  })
  return { name: scenario.name ?? basename(path).replace(ending, ''), path, scenario }
}

/** What is wrong with a scenario, now or when it is played, is told of its file. */
export async function blaming<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    const said = error.message.replace(/^scenario: /gm, '')
    throw named(nameOf(path), new InvalidInput(said, { cause: error }))
  }
}

/** What looks like a file is one, whether or not it is there. */
function pathOf(fileOrName: string): string {
  const isFile = fileOrName === '-' || /[/\\]/.test(fileOrName) || ending.test(fileOrName)
  if (isFile || existsSync(fileOrName)) return fileOrName
  const names = readdirSync(folder)
    .filter((file) => ending.test(file))
    .map((file) => file.replace(ending, ''))
  if (names.includes(fileOrName)) return fileURLToPath(new URL(`${fileOrName}.yaml`, folder))
  const meant = nearest(fileOrName, names)
  const hint = meant === undefined ? `known are ${names.join(', ')}` : `did you mean ${meant}?`
  throw new InvalidInput(
    `reading a scenario: expected a file, or the name of an example, got ${fileOrName}; ${hint}`,
  )
}
