import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../../../test/each.ts'
import { explainConversion } from './conversion.ts'

const field = 'Go struct field DeploymentSpec.spec.x'

/** As kubectl patch prints them of Kubernetes 1.36.3. */
void describe('sim/apiserver/serve conversion', () => {
  each(
    [
      { got: 'string', into: 'int32', says: 'unrecognized type: int32' },
      { got: 'number 1.5', into: 'int32', says: 'cannot convert float64 to int32' },
      { got: 'bool', into: 'int32', says: 'unrecognized type: int32' },
      { got: 'string', into: 'bool', says: 'unrecognized type: bool' },
      { got: 'number', into: 'string', says: 'cannot convert int64 to string' },
      { got: 'bool', into: 'string', says: 'unrecognized type: string' },
      { got: 'array', into: 'map[string]string', says: 'cannot restore map from slice' },
      { got: 'string', into: '[]v1.Container', says: 'cannot restore slice from string' },
      { got: 'string', into: 'v1.PodSpec', says: 'cannot restore struct from: string' },
    ].map(({ got, into, says }) => ({ name: `${got} for ${into}`, got, into, says })),
    ({ got, into, says }) =>
      assert.equal(
        explainConversion(`json: cannot unmarshal ${got} into ${field} of type ${into}`),
        says,
      ),
  )
  each([{ name: 'other complaints stay' }], () =>
    assert.equal(explainConversion('strict decoding error'), 'strict decoding error'),
  )
})
