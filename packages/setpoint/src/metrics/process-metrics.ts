import type { ProcessMeter } from '../host/index.ts'
import type { MetricsRegistry } from './metrics-registry.ts'

/** The resource usage of the process, with the names of Prometheus' client libraries. */
export function addProcessMetrics(registry: MetricsRegistry, meter: ProcessMeter): void {
  const cpu = registry.counter({
    name: 'process_cpu_seconds_total',
    help: 'Total user and system CPU time spent in seconds.',
  })
  const gauge = (name: string, help: string) => registry.gauge({ name, help })
  const resident = gauge('process_resident_memory_bytes', 'Resident memory size in bytes.')
  const started = gauge(
    'process_start_time_seconds',
    'Start time of the process since unix epoch in seconds.',
  )
  const files = gauge('process_open_fds', 'Number of open file descriptors.')
  const heapUsed = gauge(
    'nodejs_heap_size_used_bytes',
    'Process heap size used from Node.js in bytes.',
  )
  const heapTotal = gauge(
    'nodejs_heap_size_total_bytes',
    'Process heap size from Node.js in bytes.',
  )
  let counted = 0
  registry.onCollect(() => {
    const usage = meter.usage()
    if (usage === undefined) return
    cpu.add({}, usage.cpuSeconds - counted)
    counted = usage.cpuSeconds
    resident.set({}, usage.residentBytes)
    started.set({}, usage.startedMs / 1000)
    if (usage.openFiles !== undefined) files.set({}, usage.openFiles)
    heapUsed.set({}, usage.heapUsedBytes)
    heapTotal.set({}, usage.heapTotalBytes)
  })
}
