/**
 * handlers/: functions that are called when something happens to an object.
 *
 * `operator/` declares them and provides their context. `HandlerRuntime` runs all handlers of an
 * operator: for changes of an object (created, updated, a field changed, resumed, deleted),
 * daemons, timers, raw events and indexes. `memory.ts` decides which handlers are due, by comparing
 * an object with the handler memory in its annotation.
 *
 * A handler is called at least once for every change that matches it, and not again after it
 * succeeded, even after restarts. A failing handler does not block the others. Handlers that
 * succeed together cost one write. `template` is for children that are kept as YAML. The runtime is
 * not exported from here, so that its declarations are not published: `operator/` imports it from
 * its files.
 */
export { type CronSchedule, cronSchedule } from './schedule/cron-schedule.ts'
export type { Diff, DiffEntry } from './diff.ts'
export { absent, present, type ValueFilter } from './filter.ts'
export type {
  HandlerDeclaration,
  IndexDeclaration,
  ObjectEvent,
} from './declare/handler-declaration.ts'
export type {
  Backoff,
  DaemonOptions,
  FieldPath,
  HandlerOptions,
  ObjectFilters,
  RetryOptions,
  TaskOptions,
  TimerSchedule,
} from './declare/handler-options.ts'
export type { IndexAccess, IndexMap, ObjectIndex } from './object-indexes.ts'
export { template, type TemplateValues } from './declare/template.ts'
export { type ZoneOffset, zoneOffset } from './schedule/zone-offset.ts'
