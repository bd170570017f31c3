import { createRequire } from 'node:module'

import { InvalidInput } from '../core/errors.ts'

/** Loaded when first used, and not for JSON: every megabyte counts on every node. */
const yaml = (): typeof import('yaml') =>
  createRequire(import.meta.url)('yaml') as typeof import('yaml')

/** Reads JSON or YAML; JSON goes first, since it is a hundred times as fast for a large file. */
export function parseDocument(text: string, name: string): unknown {
  if (text.trim() === '')
    throw new InvalidInput(`reading ${name}: expected a document, got nothing`)
  try {
    return JSON.parse(text) as unknown
  } catch {
    try {
      const document = yaml().parseDocument(text)
      const [fault] = [...document.errors, ...document.warnings]
      if (fault?.code === 'MULTIPLE_DOCS') throw new Error('expected one document, got several')
      if (fault !== undefined) throw fault
      return document.toJS() as unknown
    } catch (error) {
      throw new InvalidInput(`reading ${name}: ${(error as Error).message.trim()}`, {
        cause: error,
      })
    }
  }
}

export const formatYaml = (value: unknown): string => yaml().stringify(value, { lineWidth: 0 })
