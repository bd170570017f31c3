/** A queue by moment, and by order of arrival within a moment: a binary heap, O(log n) a task. */
export type Task = {
  readonly moment: number
  readonly order: number
  /** Undefined once it is crossed out. */
  run: (() => void) | undefined
}

export class TaskHeap {
  private readonly tasks: Task[] = []

  first(): Task | undefined {
    while (this.tasks[0]?.run === undefined && this.tasks.length > 0) this.removeFirst()
    return this.tasks[0]
  }

  add(task: Task): void {
    const { tasks } = this
    let at = tasks.length
    tasks.push(task)
    while (at > 0) {
      const above = (at - 1) >> 1
      const parent = tasks[above]
      if (parent === undefined || !isBefore(task, parent)) break
      tasks[at] = parent
      at = above
    }
    tasks[at] = task
  }

  removeFirst(): void {
    const { tasks } = this
    const last = tasks.pop()
    if (last === undefined || tasks.length === 0) return
    let at = 0
    for (;;) {
      const below = this.earlierBelow(at)
      const child = tasks[below]
      if (child === undefined || !isBefore(child, last)) break
      tasks[at] = child
      at = below
    }
    tasks[at] = last
  }

  private earlierBelow(at: number): number {
    const [left, right] = [2 * at + 1, 2 * at + 2]
    const [a, b] = [this.tasks[left], this.tasks[right]]
    return a !== undefined && b !== undefined && isBefore(b, a) ? right : left
  }
}

const isBefore = (a: Task, b: Task): boolean =>
  a.moment < b.moment || (a.moment === b.moment && a.order < b.order)
