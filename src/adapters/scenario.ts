/** A scenario from a file, or one of those that come with the package by its name. */
import { existsSync, readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

import { readScenario } from '../apis/read-scenario.ts'
import type { ScenarioFile } from '../apis/scenario-file.ts'
import { InvalidInput } from '../core/errors.ts'
import { nearest } from '../core/nearest.ts'
import { parseDocument } from './document.ts'
import { readText } from './text-file.ts'

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
  const scenario = readScenario(parseDocument(await readText(path), path))
  return { name: scenario.name ?? basename(path).replace(ending, ''), path, scenario }
}

/** What looks like a file is one, whether or not it is there. */
function pathOf(fileOrName: string): string {
  const isFile = fileOrName === '-' || /[/\\]/.test(fileOrName) || ending.test(fileOrName)
  if (isFile || existsSync(fileOrName)) return fileOrName
  const names = readdirSync(folder).map((file) => file.replace(ending, ''))
  if (names.includes(fileOrName)) return fileURLToPath(new URL(`${fileOrName}.yaml`, folder))
  const meant = nearest(fileOrName, names)
  const hint = meant === undefined ? `known are ${names.join(', ')}` : `did you mean ${meant}?`
  throw new InvalidInput(
    `--scenario: expected a file, or the name of an example, got ${fileOrName}; ${hint}`,
  )
}
