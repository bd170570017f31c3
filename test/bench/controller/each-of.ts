/** So many at a time: a server answers many at once faster than one after another. */
const AT_ONCE = 16

export async function eachOf(count: number, work: (index: number) => Promise<unknown>) {
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < count) {
      next += 1
      await work(next - 1)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}
