import { parse, stringify } from 'yaml'

import { InvalidInput } from '../core/errors.ts'

/** Reads JSON or YAML; JSON goes first, since it is a hundred times as fast for a large file. */
export function parseDocument(text: string, name: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    try {
      return parse(text) as unknown
    } catch (error) {
      throw new InvalidInput(`reading ${name}: ${(error as Error).message.trim()}`, {
        cause: error,
      })
    }
  }
}

export const formatYaml = (value: unknown): string => stringify(value, { lineWidth: 0 })
