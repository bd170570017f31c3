/**
 * Makes a browser's picture small enough for a repository: 256 colours, and all the effort of zlib.
 * Of the colours the most frequent stay, others become the nearest of them: of a page with flat
 * colours and grey edges of letters, nobody sees a difference. PNG, W3C Recommendation, 2003.
 */
import { crc32, deflateSync, inflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const COLOURS = 256

export function shrinkPng(png: Buffer): Buffer {
  const chunks = readChunks(png)
  const header = chunks.find(({ type }) => type === 'IHDR')?.data
  if (header === undefined) throw new Error('shrinking a picture: expected a PNG, got no header')
  const [width, height, colourType] = [header.readUInt32BE(0), header.readUInt32BE(4), header[9]]
  const size = colourType === 6 ? 4 : 3
  const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data))
  const pixels = unfilter(inflateSync(packed), width * size, size)
  const { palette, indexes } = choosePalette(pixels, size)
  const rows = Buffer.alloc(height * (width + 1)) // each row begins with its filter: 0, none
  for (let y = 0; y < height; y += 1) {
    indexes.copy(rows, y * (width + 1) + 1, y * width, (y + 1) * width)
  }
  const indexed = Buffer.from(header)
  indexed[9] = 3
  return Buffer.concat([
    SIGNATURE,
    writeChunk('IHDR', indexed),
    writeChunk('PLTE', palette),
    writeChunk('IDAT', deflateSync(rows, { level: 9 })),
    writeChunk('IEND', Buffer.alloc(0)),
  ])
}

type Chunk = { readonly type: string; readonly data: Buffer }

function readChunks(png: Buffer): readonly Chunk[] {
  const chunks: Chunk[] = []
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + 8)
    chunks.push({ type, data: png.subarray(at + 8, at + 8 + length) })
    at += 12 + length
  }
  return chunks
}

function writeChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** `size`: bytes a pixel; `stride`: bytes a row. */
function unfilter(rows: Buffer, stride: number, size: number): Buffer {
  const height = rows.length / (stride + 1)
  const pixels = Buffer.alloc(height * stride)
  for (let y = 0; y < height; y += 1) {
    const filter = rows[y * (stride + 1)] ?? 0
    for (let x = 0; x < stride; x += 1) {
      const to = y * stride + x
      const left = x >= size ? (pixels[to - size] ?? 0) : 0
      const up = y > 0 ? (pixels[to - stride] ?? 0) : 0
      const corner = x >= size && y > 0 ? (pixels[to - stride - size] ?? 0) : 0
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0
      pixels[to] = (rows[y * (stride + 1) + 1 + x] ?? 0) + guess
    }
  }
  return pixels
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner
  const [a, b, c] = [left, up, corner].map((value) => Math.abs(guess - value)) as [
    number,
    number,
    number,
  ]
  return a <= b && a <= c ? left : b <= c ? up : corner
}

type Indexed = { readonly palette: Buffer; readonly indexes: Buffer }

function choosePalette(pixels: Buffer, size: number): Indexed {
  const colourAt = (pixel: number): number => pixels.readUIntBE(pixel * size, 3)
  const count = pixels.length / size
  const uses = new Map<number, number>()
  for (let i = 0; i < count; i += 1) uses.set(colourAt(i), (uses.get(colourAt(i)) ?? 0) + 1)
  const kept = [...uses]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, COLOURS)
    .map(([colour]) => colour)
  const index = new Map(kept.map((colour, i) => [colour, i]))
  for (const colour of uses.keys()) if (!index.has(colour)) index.set(colour, nearest(colour, kept))
  const palette = Buffer.alloc(kept.length * 3)
  kept.forEach((colour, i) => palette.writeUIntBE(colour, i * 3, 3))
  const indexes = Buffer.alloc(count)
  for (let i = 0; i < count; i += 1) indexes[i] = index.get(colourAt(i)) ?? 0
  return { palette, indexes }
}

function nearest(colour: number, kept: readonly number[]): number {
  let [best, least] = [0, Infinity]
  kept.forEach((other, i) => {
    const distance = [16, 8, 0].reduce(
      (sum, shift) => sum + (((colour >> shift) & 255) - ((other >> shift) & 255)) ** 2,
      0,
    )
    if (distance < least) [best, least] = [i, distance]
  })
  return best
}
