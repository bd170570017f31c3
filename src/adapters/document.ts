import { InvalidInput } from '../core/errors.ts'
import { type JsonBounds, scanJson, usualJsonBounds } from '../core/json/scan-json.ts'
import { hasHidden, visibleJson } from '../core/visible.ts'
import { parseYaml, usualYamlBounds, yaml, type YamlBounds } from './bounded-yaml.ts'
import { parsePlainYaml } from './plain-yaml.ts'

/**
 * Of an agent, whose heap is small: the library takes 300 bytes a token. That is 2,000 groups in brackets,
 * and plain YAML, for which the library is not loaded, is not bound by it.
 */
export const inAgents: Partial<YamlBounds> = { tokens: 20_000 }

/** Reads JSON or YAML; JSON goes first, since it is a hundred times as fast for a large file. */
export function parseDocument(
  text: string,
  name: string,
  bounds: Partial<YamlBounds> = {},
): unknown {
  if (text.trim() === '')
    throw new InvalidInput(`reading ${name}: expected a document, got nothing`)
  try {
    const json = parseJson(text)
    if (json !== undefined) return json
    return parsePlainYaml(text) ?? parseYaml(text, { ...usualYamlBounds, ...bounds })
  } catch (error) {
    throw new InvalidInput(`reading ${name}: ${(error as Error).message.trim()}`, {
      cause: error,
    })
  }
}

/** Undefined is a text that is not JSON; one that must not be read is thrown as an `Error`. */
export function parseJson(text: string, bounds: JsonBounds = usualJsonBounds): unknown {
  const { beyond, twice } = scanJson(text, bounds)
  const isNested = /^\s*[[{]/.test(text)
  if (isNested && beyond !== undefined) throw new Error(beyond)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (twice !== undefined) throw new Error(`expected each key once, got ${twice} twice`)
  return value
}

/** Reads JSON, or one or more YAML documents; those without anything in them are left out. */
export function parseDocuments(text: string, name: string): unknown[] {
  const parts = /^\s*[[{]/.test(text) ? [text] : text.split(/^---(?:\s.*)?$/m)
  const filled = parts.filter((part) => part.replace(/^\s*#.*$/gm, '').trim() !== '')
  // Nothing at all is refused in the same words as by `parseDocument`.
  return (filled.length === 0 ? [''] : filled).map((part) => parseDocument(part, name))
}

/** What a terminal would act on stands in double quotes, as an escape. */
export function formatYaml(value: unknown): string {
  const { Document, visit } = yaml()
  const document = new Document(value)
  visit(document, {
    Scalar: (_, scalar) => {
      // Line breaks by themselves stay: such a text is written line by line.
      const text = typeof scalar.value === 'string' ? scalar.value.replaceAll('\n', '') : ''
      if (hasHidden(text)) scalar.type = 'QUOTE_DOUBLE'
    },
  })
  return visibleJson(document.toString({ lineWidth: 0 }))
}
