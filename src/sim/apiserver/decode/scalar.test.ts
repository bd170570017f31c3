import assert from 'node:assert/strict'

import { each } from '../../../../test/each.ts'
import { readScalar } from './scalar.ts'

const string = (format: string) => ({ type: 'string', format }) as const

const time = (text: string, said: string) => ({
  value: text,
  shape: string('date-time'),
  said: `parsing time "${text}"${said}`,
})
const layout = ' as "2006-01-02T15:04:05Z07:00": cannot parse '
const form =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
const quantity = (value: unknown, said = form) => ({ value, shape: string('quantity'), said })
const suffix = "unable to parse quantity's suffix"

/** Every text as a 1.36.3 API server gave it. */
each(
  [
    { name: 'an empty time', ...time('', `${layout}"" as "2006"`) },
    { name: 'a date for a time', ...time('2026-01-01', `${layout}"" as "T"`) },
    {
      name: 'a time without a zone',
      ...time('2026-01-01T00:00:00', `${layout}"" as "Z07:00"`),
    },
    {
      name: 'a month of one digit',
      ...time('2026-1-01T00:00:00Z', `${layout}"1-01T00:00:00Z" as "01"`),
    },
    { name: 'a thirteenth month', ...time('2026-13-01T00:00:00Z', ': month out of range') },
    { name: 'a thirtieth of February', ...time('2026-02-30T00:00:00Z', ': day out of range') },
    { name: 'a twenty-fifth hour', ...time('2026-01-01T25:00:00Z', ': hour out of range') },
    {
      name: 'a micro time without a fraction',
      value: '2026-01-01T00:00:00Z',
      shape: string('micro-time'),
      said: 'parsing time "2026-01-01T00:00:00Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"',
    },
    { name: 'a boolean for a quantity', ...quantity(true) },
    { name: 'an empty quantity', ...quantity('') },
    { name: 'a quantity with two dots', ...quantity('1.2.3') },
    { name: 'a quantity with a wrong letter', ...quantity('1x') },
    { name: 'a quantity whose suffix is none', ...quantity('1Kii', suffix) },
    { name: 'a quantity with an exponent of none', ...quantity('1e', suffix) },
    {
      name: 'what is not base64',
      value: '!!',
      shape: string('byte'),
      said: 'illegal base64 data at input byte 0',
    },
  ],
  ({ value, shape, said }) => {
    assert.throws(() => readScalar(value, shape), { message: said })
  },
)

each(
  [
    { name: 'the 29th of a leap year', value: '2028-02-29T00:00:00Z', format: 'date-time' },
    { name: 'a quantity beyond what is common', value: '1536Mi', format: 'quantity' },
    { name: 'a quantity with an exponent', value: '1e3', format: 'quantity' },
    { name: 'base64', value: 'eHl6', format: 'byte' },
  ],
  ({ value, format }) => {
    assert.equal(readScalar(value, string(format)), value)
  },
)
