import assert from 'node:assert/strict'

import { each } from '../../../../test/each.ts'
import { parseJson } from './parse-json.ts'

each(
  [
    { name: 'nothing', text: '', said: 'unexpected end of JSON input' },
    { name: 'an object that breaks off', text: '{', said: 'unexpected end of JSON input' },
    { name: 'a text that breaks off', text: '{"v":"', said: 'unexpected end of JSON input' },
    {
      name: 'a key without quotes',
      text: '{nonsense',
      said: "invalid character 'n' looking for beginning of object key string",
    },
    {
      name: 'a word',
      text: 'garbage',
      said: "invalid character 'g' looking for beginning of value",
    },
  ].map(({ name, text, said }) => ({ name: `${name} is refused as by Go`, text, said })),
  ({ text, said }) => assert.throws(() => parseJson(text), { name: 'SyntaxError', message: said }),
)
