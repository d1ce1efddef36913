/**
 * handlers/: functions that are called when something happens to an object.
 *
 * Below `operator/`, which declares them and gives them their context. `HandlerRuntime` is all handlers of an operator:
 * those of the life of an object (created, updated, a field changed, resumed, deleted), daemons, timers, raw events and indexes.
 * `memory.ts` decides what is to be called, by comparing an object with what an annotation remembers of it.
 *
 * It promises that a handler is called at least once for every change that it waits for, and not again after it succeeded,
 * whatever restarts in between; that handlers do not hold each other back; and that all that succeed at once cost one write.
 * `template` is for those who keep their children as YAML. What runs handlers is not exported from here, so that its
 * declarations are not published: `operator/` imports it from its files.
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
