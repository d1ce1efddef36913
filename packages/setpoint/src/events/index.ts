/**
 * events/: Kubernetes Events.
 *
 * `EventRecorder` writes what `ctx.recordEvent` and failed reconciles report. It has the limits of
 * the controllers of Kubernetes: repetitions are counted in one Event, similar Events are combined,
 * and the Events about one object are rate-limited.
 */
export { EventRecorder } from './event-recorder.ts'
export type { RecordedEvent } from './recorded-event.ts'
export { secondsTime } from './seconds-time.ts'
