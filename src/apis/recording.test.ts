import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../test/each.ts'
import { mostRows, parseRecording } from './recording.ts'

const read = (text: string) => {
  const { unit, seconds, figures } = parseRecording(text, 'day.csv')
  return { unit, rows: seconds.map((second, i) => [second, figures[i]]) }
}

void describe('a recording', () => {
  const rows = [
    [0, 12.5],
    [300, 14],
  ]
  each(
    [
      { name: 'is rows of seconds and a figure', text: '0,12.5\n300,14\n', unit: undefined },
      { name: 'may end without a line end', text: '0,12.5\n300,14', unit: undefined },
      { name: 'may say that it is of rates', text: 'seconds,rate\n0,12.5\n300,14', unit: 'rate' },
      {
        name: 'may say that it is of cores',
        text: 'Seconds, Cores\n0,12.5\n300,14',
        unit: 'cores',
      },
      {
        name: 'counts from its first row',
        text: '1760000000,12.5\n1760000300,14',
        unit: undefined,
      },
      { name: 'may begin before 0', text: '-100,12.5\n200,14', unit: undefined },
      { name: 'may have lines of Windows', text: '0,12.5\r\n300,14\r\n', unit: undefined },
      { name: 'may have lines of old Macs', text: '0,12.5\r300,14\r', unit: undefined },
      {
        name: 'may have comments, empty lines and blanks',
        text: '# a day\n\n  # of ours\nseconds,rate\n 0 , 12.5 \n\n300,14\n  \n',
        unit: 'rate',
      },
      { name: 'may have quotes', text: '"seconds","rate"\n"0","12.5"\n"300","14"', unit: 'rate' },
      { name: 'may have exponents', text: '0e0,1.25e1\n3e+2,.14E2', unit: undefined },
    ],
    ({ text, unit }) => assert.deepEqual(read(text), { unit, rows }),
  )

  void test('keeps millionths of seconds and figures, whatever clock they are by', () => {
    assert.deepEqual(read('1760000000.25,0.00000049\n1760000000.5,0.0000015').rows, [
      [0, 0],
      [0.25, 0.000002],
    ])
  })

  void test('has no negative zero', () => {
    const [figure] = parseRecording('0,-0', 'day.csv').figures
    assert.ok(Object.is(figure, 0))
  })

  each(
    [
      {
        name: 'nothing',
        text: '',
        says: 'expected rows of seconds and a figure, such as 300,12.5, got none',
      },
      {
        name: 'comments alone',
        text: '# nothing yet\n\n',
        says: 'expected rows of seconds and a figure, such as 300,12.5, got none',
      },
      {
        name: 'a header alone',
        text: 'seconds,rate\n',
        says: 'expected rows of seconds and a figure, such as 300,12.5, got none',
      },
      {
        name: 'another header',
        text: '# ours\ntime,value\n0,1',
        says: 'line 2: expected a row such as 300,12.5, or the header seconds,rate or seconds,cores, got "time,value"',
      },
      {
        name: 'two headers',
        text: 'seconds,rate\nseconds,rate\n0,1',
        says: 'line 2: expected a number of seconds, got "seconds"',
      },
      {
        name: 'one column',
        text: '0,1\n5',
        says: 'line 2: expected two columns, such as 300,12.5, got "5"',
      },
      {
        name: 'three columns',
        text: '0,1,2',
        says: 'line 1: expected two columns, such as 300,12.5, got "0,1,2"',
      },
      {
        name: 'semicolons',
        text: 'seconds,rate\n0;1',
        says: 'line 2: expected two columns, such as 300,12.5, got "0;1"',
      },
      {
        name: 'a time of day',
        text: '12:00,5',
        says: 'line 1: expected a number of seconds, got "12:00"',
      },
      {
        name: 'no figure',
        text: '0,1\n\n9,',
        says: 'line 3: expected a number from 0 to 1000000000, got nothing',
      },
      {
        name: 'a negative figure',
        text: '0,-1',
        says: 'line 1: expected a number from 0 to 1000000000, got "-1"',
      },
      {
        name: 'NaN',
        text: '0,1\n1,NaN',
        says: 'line 2: expected a number from 0 to 1000000000, got "NaN"',
      },
      {
        name: 'more than any number',
        text: '0,1e999',
        says: 'line 1: expected a number from 0 to 1000000000, got "1e999"',
      },
      {
        name: 'hexadecimals',
        text: '0,0x10',
        says: 'line 1: expected a number from 0 to 1000000000, got "0x10"',
      },
      {
        name: 'seconds that stay',
        text: '0,1\n5,1\n5,2',
        says: 'line 3: expected more seconds than in the row before, got "5"',
      },
      {
        name: 'seconds that go back',
        text: '9,1\n5,1',
        says: 'line 2: expected more seconds than in the row before, got "5"',
      },
      {
        name: 'milliseconds for seconds',
        text: '0,1\n86400000000,1',
        says: 'line 2: expected at most 31622400 seconds after the first row, got "86400000000"',
      },
      {
        name: 'what would play tricks on a terminal',
        text: '0,\u001b[2J',
        says: String.raw`line 1: expected a number from 0 to 1000000000, got "\x1b[2J"`,
      },
      {
        name: 'a line without an end',
        text: 'x'.repeat(1e6),
        says: `line 1: expected a row such as 300,12.5, or the header seconds,rate or seconds,cores, got "${'x'.repeat(60)}... (1000000 characters)"`,
      },
    ].map(({ name, text, says }) => ({ name: `is refused: ${name}`, text, says })),
    ({ text, says }) =>
      assert.throws(() => read(text), { name: 'InvalidInput', message: `day.csv: ${says}` }),
  )

  void test('has at most as many rows as can be played', () => {
    const rowsOf = (count: number) => Array.from({ length: count }, (_, i) => `${i},1`).join('\n')
    assert.equal(read(rowsOf(mostRows)).rows.length, mostRows)
    assert.throws(() => read(rowsOf(mostRows + 1)), {
      message: `day.csv: line ${mostRows + 1}: expected at most ${mostRows} rows, got more`,
    })
  })
})
