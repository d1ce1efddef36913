import type { ReconcileContext } from 'setpoint'
import { EventsEvent } from 'setpoint/kinds'
import type { PodView } from '../behaviour/index.ts'

interface SchedulingEvent {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly action: string
  readonly note: string
}

const reporter = 'default-scheduler'

/**
 * Events of the scheduler, in the events.k8s.io API that it uses. A refused Event is ignored, so
 * that scheduling continues.
 */
export class SchedulingEvents {
  readonly #isOn: boolean
  #count = 0

  constructor(isOn: boolean) {
    this.#isOn = isOn
  }

  /** Records an Event about a pod. */
  async record(
    { client, log, now }: Pick<ReconcileContext, 'client' | 'log' | 'now'>,
    pod: PodView,
    event: SchedulingEvent,
  ): Promise<void> {
    if (!this.#isOn) return
    const { name, namespace, uid, resourceVersion } = pod.metadata
    const nowMs = now()
    this.#count = (this.#count + 1) % 1_000_000
    const nanos = BigInt(nowMs) * 1_000_000n + BigInt(this.#count)
    const recorded = client.create(EventsEvent, {
      metadata: { name: `${name}.${nanos.toString(16)}`, namespace },
      ...event,
      eventTime: new Date(nowMs).toISOString().replace('Z', '000Z'),
      reportingController: reporter,
      reportingInstance: `${reporter}-setpoint`,
      regarding: { apiVersion: 'v1', kind: 'Pod', name, namespace, uid, resourceVersion },
    })
    await recorded.catch((err: unknown) =>
      log.debug({ err }, `failed to record the Event: ${event.note}`),
    )
  }
}
