import { createRequire } from 'node:module'

import { InvalidInput } from '../core/errors.ts'
import { parsePlainYaml } from './plain-yaml.ts'

/** Loaded when first used, and not for JSON or plain YAML: every megabyte counts on every node. */
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
      const plain = parsePlainYaml(text)
      if (plain !== undefined) return plain
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

/** Reads JSON, or one or more YAML documents; those without anything in them are left out. */
export function parseDocuments(text: string, name: string): unknown[] {
  const parts = /^\s*[[{]/.test(text) ? [text] : text.split(/^---(?:\s.*)?$/m)
  const filled = parts.filter((part) => part.replace(/^\s*#.*$/gm, '').trim() !== '')
  // Nothing at all is refused in the same words as by `parseDocument`.
  return (filled.length === 0 ? [''] : filled).map((part) => parseDocument(part, name))
}

export const formatYaml = (value: unknown): string => yaml().stringify(value, { lineWidth: 0 })
