import assert from 'node:assert/strict'

import { each } from '../../../../test/each.ts'
import { findByPath, parseJsonPath } from './json-path.ts'

const object = {
  spec: { a: 1, 'b.c': 2, list: [{ n: 'x' }, { n: 'y' }] },
  status: {
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'Seen', status: 'False' },
    ],
  },
}

each(
  [
    { name: 'a field', path: '.spec.a', finds: [1] },
    { name: 'a field with an escaped dot', path: '.spec.b\\.c', finds: [2] },
    { name: 'a quoted field', path: ".spec['b.c']", finds: [2] },
    { name: 'an index', path: '.spec.list[1].n', finds: ['y'] },
    { name: 'an index from the end', path: '.spec.list[-1].n', finds: ['y'] },
    { name: 'all items', path: '.spec.list[*].n', finds: ['x', 'y'] },
    {
      name: 'items by a field',
      path: '.status.conditions[?(@.type=="Seen")].status',
      finds: ['False'],
    },
    {
      name: 'items by what a field is not',
      path: ".status.conditions[?(@.type!='Seen')].type",
      finds: ['Ready'],
    },
    { name: 'nothing', path: '.spec.none.at.all', finds: [] },
  ],
  ({ path, finds }) => assert.deepEqual(findByPath(object, parseJsonPath(path) ?? []), finds),
)

each(
  [
    { name: 'a path without a dot is none', path: 'spec' },
    { name: 'an open bracket is no path', path: '.spec[0' },
  ],
  ({ path }) => assert.equal(parseJsonPath(path), undefined),
)
