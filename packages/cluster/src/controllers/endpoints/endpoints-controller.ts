import { operator, type AnyOperator, type Frozen } from 'setpoint'
import { isApiError } from 'setpoint/client'
import { Endpoints, Pod, Service } from 'setpoint/kinds'
import { jsonEquals } from 'setpoint/schema'
import { controllerOptions } from '../controller-options.ts'
import { isNamespaceTerminating } from '../pods/pod-control.ts'
import {
  hasSelectedPods,
  headlessLabel,
  isHeadless,
  triggerTimeAnnotation,
} from './endpoint-rules.ts'
import { endpointSubsets } from './endpoint-subsets.ts'
import { selectorPairs, servicesOf } from './service-pods.ts'
import { TriggerTimes } from './trigger-times.ts'

const managerLabel = 'endpoints.kubernetes.io/managed-by'
const manager = 'endpoint-controller'
const identity = { apiVersion: 'v1', kind: 'Endpoints' } as const
const { fieldManager = '' } = controllerOptions

/**
 * Keeps the Endpoints object of each service up to date. It has the service's name and is deleted
 * with it.
 */
export function endpointsController(): AnyOperator {
  const triggers = new TriggerTimes()
  return operator(Service, { ...controllerOptions, name: 'endpoint-controller' })
    .index('selector', selectorPairs)
    .watch(Endpoints, ({ metadata }) => [`${metadata.namespace}/${metadata.name}`])
    .writes(Endpoints)
    .watch(Pod, servicesOf)
    .onEvent(async ({ type, object }, ctx) => {
      if (type !== 'removed') return
      triggers.forget(object.metadata.uid)
      await ctx.client.delete(Endpoints, object.metadata)
    })
    .reconcile(async (service, ctx) => {
      if (!hasSelectedPods(service)) return
      const { namespace, name, labels: own = {} } = service.metadata
      const pods = ctx.list(Pod, { namespace, labels: service.spec.selector })
      const time = triggers.next(service, pods)
      const subsets = endpointSubsets(service, pods)
      const known = ctx.get(Endpoints, `${namespace}/${name}`)
      const { [headlessLabel]: _, ...plain } = own
      const labels = {
        ...plain,
        ...(isHeadless(service) ? { [headlessLabel]: '' } : {}),
        [managerLabel]: manager,
      }
      if (
        known !== undefined &&
        jsonEquals(known.subsets ?? [], subsets) &&
        jsonEquals(known.metadata.labels, labels)
      )
        return
      const { [triggerTimeAnnotation]: _time, ...others } = known?.metadata.annotations ?? {}
      const annotations = time === undefined ? others : { ...others, [triggerTimeAnnotation]: time }
      const metadata = { ...known?.metadata, name, namespace, labels, annotations }
      const desired = { ...known, ...identity, metadata, subsets }
      try {
        if (known === undefined)
          await ctx.client.create(Endpoints, desired as never, { fieldManager })
        else await ctx.update(Endpoints, desired as Frozen<Endpoints>)
      } catch (error) {
        if (isNamespaceTerminating(error) || isApiError(error, 'API_ALREADY_EXISTS')) return
        if (!isApiError(error)) throw error
        const [verb, reason] =
          known === undefined
            ? ['create', 'FailedToCreateEndpoint']
            : ['update', 'FailedToUpdateEndpoint']
        const which =
          known === undefined
            ? `endpoint for service ${namespace}/${name}`
            : `endpoint ${namespace}/${name}`
        const message = `Failed to ${verb} ${which}: ${error.status.message}`
        await ctx.recordEvent({ type: 'Warning', reason, message, regarding: desired as never })
        throw error
      }
    })
}
