import assert from 'node:assert/strict'
import { test } from 'node:test'

import { apiCounts } from './server-counts.ts'

const line = (labels: string, count: number) =>
  `apiserver_request_total{code="200",component="apiserver",dry_run="",group="",${labels},version="v1"} ${count}`

const metrics = [
  '# TYPE apiserver_request_total counter',
  line('resource="pods",scope="resource",subresource="",verb="PATCH"', 2),
  line('resource="pods",scope="resource",subresource="",verb="APPLY"', 100),
  line('resource="pods",scope="resource",subresource="resize",verb="PATCH"', 100),
  'apiserver_requests_other{verb="PATCH"} 7',
].join('\n')

void test('a server-side apply counts as the PATCH that it is, though the server names it APPLY', async () => {
  const counts = await apiCounts({ raw: async () => metrics })
  assert.deepEqual(counts, { 'PATCH pods': 102, 'PATCH pods/resize': 100 })
})
