import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../../test/each.ts'
import { defaultQuery, fillQuery } from './query.ts'

const pods = [
  { namespace: 'shop', name: 'web.1' },
  { namespace: 'default', name: 'api-0' },
  { namespace: 'shop', name: 'api-0' },
]

void describe('a query for latencies', () => {
  each(
    [
      {
        name: 'names each namespace and pod once, in order, with dots that mean dots',
        query: 'x{namespace=~"$namespace",pod=~"$pod"}',
        sent: 'x{namespace=~"default|shop",pod=~"api-0|web[.]1"}',
      },
      { name: 'without placeholders is sent as it is', query: 'x{a=~"b$"}', sent: 'x{a=~"b$"}' },
      { name: 'keeps words that only begin alike', query: '$pods $podium', sent: '$pods $podium' },
      {
        name: 'asks for a placeholder as often as it stands there',
        query: 'a{pod=~"$pod"} + b{pod=~"$pod"}',
        sent: 'a{pod=~"api-0|web[.]1"} + b{pod=~"api-0|web[.]1"}',
      },
      {
        name: 'is the usual histogram if nobody says otherwise',
        query: defaultQuery,
        sent: 'histogram_quantile(0.99, sum by (namespace, pod, le) (rate(http_request_duration_seconds_bucket{namespace=~"default|shop",pod=~"api-0|web[.]1"}[1m])))',
      },
    ],
    ({ query, sent }) => assert.equal(fillQuery(query, pods), sent),
  )
})
