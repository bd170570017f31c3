/** As many entries of managedFields as a tenant likes: the API server takes them from anyone. */
export const recordedWriters = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    manager: `m${i}-${'x'.repeat(110)}`,
    operation: 'Apply',
    apiVersion: 'v1',
    time: '2026-01-01T00:00:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:metadata': { 'f:labels': { 'f:a': {} } } },
  }))
