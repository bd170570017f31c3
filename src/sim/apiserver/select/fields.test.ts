import assert from 'node:assert/strict'

import { each } from '../../../../test/each.ts'
import { configMaps } from '../../../../test/sim/api-server.ts'
import type { ApiObject } from '../object.ts'
import { parseFieldSelector } from './fields.ts'

const withPhase = {
  ...configMaps,
  selectableFields: { phase: (object: ApiObject) => String(object['phase']) },
}
const object: ApiObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'default', uid: '', creationTimestamp: '' },
  phase: 'x,y=z',
}

each(
  [
    { name: 'an empty selector matches', selector: '', matches: true },
    { name: 'a name matches', selector: 'metadata.name=a', matches: true },
    { name: 'two equals signs are as one', selector: 'metadata.name==b', matches: false },
    { name: 'another namespace does not match', selector: 'metadata.namespace=b', matches: false },
    { name: 'all terms must match', selector: 'metadata.name=a,phase!=b', matches: true },
    { name: 'a backslash keeps a comma', selector: String.raw`phase=x\,y\=z`, matches: true },
    { name: 'an empty value is a value', selector: 'metadata.name=', matches: false },
  ],
  ({ selector, matches }) => {
    assert.equal(parseFieldSelector(selector, withPhase)?.(object) ?? true, matches)
  },
)

/** As the real server said them. */
each(
  [
    {
      name: 'a term without an operator is refused',
      selector: 'a',
      type: configMaps,
      message: "invalid selector: 'a'; can't understand 'a'",
    },
    {
      name: 'an escape of nothing is refused',
      selector: String.raw`metadata.name=a\b`,
      type: configMaps,
      message: String.raw`invalid field selector: invalid escape sequence: \b`,
    },
    {
      name: 'a field is refused by a kind that has none of its own',
      selector: 'a=b,',
      type: configMaps,
      message: '"a" is not a known field selector: only "metadata.name", "metadata.namespace"',
    },
    {
      name: 'a field is refused by a kind that has others',
      selector: 'spec.priority=1',
      type: withPhase,
      message: 'field label not supported: spec.priority',
    },
  ],
  ({ selector, type, message }) => {
    assert.throws(() => parseFieldSelector(selector, type), { code: 400, message })
  },
)
