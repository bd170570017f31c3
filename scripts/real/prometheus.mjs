import { inPlace } from './in-place.mjs'
import { unpackPackage } from './packages.mjs'
import { places } from './places.mjs'

/** Debian's, which has promtool too. */
export async function prometheus() {
  const { folder, source } = places.prometheus
  await inPlace(folder, (folder) =>
    unpackPackage(source, { folder, title: 'unpacking Prometheus' }),
  )
}
