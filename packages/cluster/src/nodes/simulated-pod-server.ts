import type { HttpHandler } from 'setpoint/host'
import type { JsonObject } from 'setpoint/schema'
import type { PodBehaviours, PodView } from './behaviour/index.ts'

/**
 * The server of a simulated pod: the `http` of the behaviour of the container that declares the
 * port, otherwise of its first container that has one.
 */
export function simulatedPodServer(
  behaviours: Pick<PodBehaviours, 'of'>,
): (pod: JsonObject, port: number) => HttpHandler | undefined {
  return (object, port) => {
    const pod = object as unknown as PodView
    const behaviourOf = behaviours.of(pod)
    const serving = pod.spec.containers
      .filter(({ name }) => isRunning(pod, name))
      .map((container) => ({ container, http: behaviourOf(container, 'regular').http }))
      .filter(({ http }) => http !== undefined)
    const declared = serving.find(({ container }) =>
      (container.ports ?? []).some(({ containerPort }) => containerPort === port),
    )
    return (declared ?? serving[0])?.http
  }
}

function isRunning({ status }: PodView, container: string): boolean {
  const found = status?.containerStatuses?.find(({ name }) => name === container)
  return found?.state?.running !== undefined
}
