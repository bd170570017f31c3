/** JSON under construction, in one buffer that is used again; bounded. */
export class SieveText {
  /** More was to be written than there may be; that is not in it. */
  isOver = false
  length = 0
  readonly #most: number
  #bytes = Buffer.allocUnsafe(4096)

  constructor(most: number) {
    this.#most = most
  }

  clear(): void {
    this.length = 0
    this.isOver = false
    // One large object must not cost us its size for good.
    if (this.#bytes.length > 256 * 1024) this.#bytes = Buffer.allocUnsafe(4096)
  }

  byte(byte: number): void {
    if (!this.#makeRoom(1)) return
    this.#bytes[this.length] = byte
    this.length += 1
  }

  /** Of plain ASCII. */
  text(text: string): void {
    if (!this.#makeRoom(text.length)) return
    this.length += this.#bytes.write(text, this.length, 'latin1')
  }

  copy(from: Buffer, start: number, end: number): void {
    if (end <= start || !this.#makeRoom(end - start)) return
    this.length += from.copy(this.#bytes, this.length, start, end)
  }

  /** Takes back what came after it. */
  cut(length: number): void {
    this.length = length
  }

  slice(start = 0, end = this.length): string {
    return this.#bytes.toString('utf8', start, end)
  }

  #makeRoom(more: number): boolean {
    if (this.isOver) return false
    const wanted = this.length + more
    if (wanted > this.#most) {
      this.isOver = true
      return false
    }
    if (wanted > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.min(this.#most, 2 * wanted))
      this.#bytes.copy(larger, 0, 0, this.length)
      this.#bytes = larger
    }
    return true
  }
}
