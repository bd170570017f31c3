// One line a top-level test or suite, all of a failure, and counts and times for scripts/test.mjs.
import { writeFileSync } from 'node:fs'
import { inspect } from 'node:util'

/** @param {AsyncIterable<{ type: string, data: any }>} events */
export default async function* report(events) {
  const counts = {
    passed: 0,
    failed: /** @type {string[]} */ ([]),
    skipped: /** @type {string[]} */ ([]),
    times: /** @type {{ name: string, seconds: number }[]} */ ([]),
  }
  /** @type {string[]} */
  const path = []
  for await (const { type, data } of events) {
    if (type === 'test:start') path[data.nesting] = data.name
    if (type === 'test:stdout' || type === 'test:stderr') yield data.message
    if (type === 'test:diagnostic' && data.level === undefined && data.nesting > 0)
      yield `  ${data.message}\n`
    // What goes wrong after its test has ended fails the process, and is told only so.
    if (
      type === 'test:diagnostic' &&
      data.nesting === 0 &&
      /^(Warning|Error): /.test(data.message)
    ) {
      counts.failed.push(`✗ ${data.message}`)
      yield `✗ ${data.message}\n`
    }
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const name = [...path.slice(0, data.nesting), data.name].join(' > ')
    const suite = data.details?.type === 'suite'
    if (data.nesting === 0) counts.times.push({ name, seconds: data.details.duration_ms / 1000 })
    if (data.skip !== undefined) {
      // A skipped suite does not name its tests: it counts as one.
      counts.skipped.push(`${name}: ${data.skip === true ? 'no reason given' : data.skip}`)
    } else if (type === 'test:pass') {
      if (!suite) counts.passed += 1
      if (data.nesting === 0) yield `✓ ${name} (${Math.round(data.details.duration_ms)} ms)\n`
    } else if (!suite) {
      const cause = data.details.error?.cause ?? data.details.error
      const told = `✗ ${name}\n${indent(inspect(cause))}\n` // with the causes of the cause
      counts.failed.push(told)
      yield told
    }
  }
  if (process.env.MBCAS_TEST_COUNTS)
    writeFileSync(process.env.MBCAS_TEST_COUNTS, JSON.stringify(counts))
}

const indent = (/** @type {string} */ text) => text.replace(/^/gm, '    ')
