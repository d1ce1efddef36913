import type { Controller, RunReport } from '../controller/index.ts'
import type { MetricsRegistry } from './metrics-registry.ts'

/** The properties of a controller's queue that are read at every scrape. */
type ObservedQueue = Pick<Controller, 'name' | 'depth' | 'added' | 'runningMs'>

/** From 10 ns to 1,000 s. Multiplied as in Go, so that even the rounding errors are equal. */
const durationBuckets = Array.from({ length: 11 }).reduce<number[]>(
  (bounds) => [...bounds, (bounds.at(-1) ?? 0) * 10],
  [10e-9],
)

/** The metrics of queues, with the names of client-go. */
export class QueueMetrics {
  readonly #families: ReturnType<typeof families>
  readonly #queues = new Set<ObservedQueue>()
  /** How many additions of each queue are counted already. */
  readonly #counted = new WeakMap<ObservedQueue, number>()

  constructor(registry: MetricsRegistry) {
    this.#families = families(registry)
    registry.onCollect(() => this.#collect())
  }

  /** Shows a queue, with zeros before its first key. Returns a function that removes it. */
  add(queue: ObservedQueue): () => void {
    const { waiting, working, adds, retries } = this.#families
    const labels = labelsOf(queue.name)
    for (const family of [adds, retries]) family.add(labels, 0)
    for (const family of [waiting, working]) family.prepare(labels)
    this.#queues.add(queue)
    return () => {
      this.#count(queue)
      this.#queues.delete(queue)
    }
  }

  runEnded({ controller, result, durationMs, waitedMs }: RunReport): void {
    const { waiting, working, retries } = this.#families
    const labels = labelsOf(controller)
    waiting.observe(labels, waitedMs / 1000)
    working.observe(labels, durationMs / 1000)
    // Keys that are requeued with a delay, for any reason.
    if (result !== 'done' && result !== 'gave-up') retries.add(labels)
  }

  #collect(): void {
    const { depth, unfinished, longest } = this.#families
    for (const family of [depth, unfinished, longest]) family.clear()
    for (const queue of this.#queues) {
      const labels = labelsOf(queue.name)
      const runningMs = queue.runningMs
      // The label priority exists and is empty in a queue whose depth is not known by priority.
      depth.set({ ...labels, priority: '' }, queue.depth)
      unfinished.set(labels, runningMs.reduce((sum, ms) => sum + ms, 0) / 1000)
      longest.set(labels, runningMs.reduce((most, ms) => Math.max(most, ms), 0) / 1000)
      this.#count(queue)
    }
  }

  #count(queue: ObservedQueue): void {
    const { name, added } = queue
    this.#families.adds.add(labelsOf(name), added - (this.#counted.get(queue) ?? 0))
    this.#counted.set(queue, added)
  }
}

/** A queue has the name of its controller, under both labels. */
function labelsOf(controller: string): { readonly name: string; readonly controller: string } {
  return { name: controller, controller }
}

function families(registry: MetricsRegistry) {
  const labels = ['name', 'controller'] as const
  return {
    depth: registry.gauge({
      name: 'workqueue_depth',
      help: 'Current depth of workqueue by workqueue and priority',
      labels: ['name', 'controller', 'priority'],
    }),
    adds: registry.counter({
      name: 'workqueue_adds_total',
      help: 'Total number of adds handled by workqueue',
      labels,
    }),
    waiting: registry.histogram({
      name: 'workqueue_queue_duration_seconds',
      help: 'How long in seconds an item stays in workqueue before being requested',
      labels,
      buckets: durationBuckets,
    }),
    working: registry.histogram({
      name: 'workqueue_work_duration_seconds',
      help: 'How long in seconds processing an item from workqueue takes.',
      labels,
      buckets: durationBuckets,
    }),
    unfinished: registry.gauge({
      name: 'workqueue_unfinished_work_seconds',
      help: 'How many seconds of work has been done that is in progress and has not been observed by work_duration. Large values indicate stuck runs.',
      labels,
    }),
    longest: registry.gauge({
      name: 'workqueue_longest_running_processor_seconds',
      help: 'How many seconds has the longest running processor for workqueue been running.',
      labels,
    }),
    retries: registry.counter({
      name: 'workqueue_retries_total',
      help: 'Total number of items added to the workqueue with a non-zero delay',
      labels,
    }),
  }
}
