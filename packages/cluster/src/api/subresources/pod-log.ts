import { keyOf } from '../../object/index.ts'
import { badRequest, notFound } from '../../status/index.ts'
import type { ApiRequest } from '../api-request.ts'
import { textResponse } from '../http/respond.ts'
import { readObject } from '../object-text.ts'
import type { Outcome } from '../outcome.ts'
import type { ServedResource } from '../resources/served-resource.ts'
import { containerNamed, type PodContainers } from './pod-container.ts'
import type { PodLogRequest, PodRuntime } from './pod-runtime.ts'

/** GET of `pods/log`: the log of a container, followed when `follow` is set. */
export function podLog(
  request: ApiRequest,
  resource: ServedResource,
  runtime: PodRuntime,
): Outcome {
  const { namespace, name, query } = request.info
  const key = keyOf(namespace, name)
  const { store, host } = request.server
  const read = (): unknown => {
    const stored = store.get(resource.bucket, key)
    return stored === undefined ? undefined : readObject(resource, stored)
  }
  const pod = read() as PodContainers | undefined
  if (pod === undefined) throw notFound({ group: '', resource: resource.plural }, name)
  const container = containerNamed(pod, name, query.get('container') ?? '')
  // A pod that was never scheduled has an empty log.
  if ((pod.spec.nodeName ?? '') === '') return { response: textResponse(200, '') }
  const log = runtime.log(read, {
    ...selectionOf(query, host.now()),
    container,
    signal: request.signal,
  })
  if ('refusal' in log) throw badRequest(log.refusal)
  return { response: { ...textResponse(200, ''), body: log } }
}

function selectionOf(query: URLSearchParams, nowMs: number): Omit<PodLogRequest, 'container'> {
  const number = (name: string): number | undefined => {
    const text = query.get(name)
    return text === null || text === '' ? undefined : Number(text)
  }
  const isSet = (name: string): boolean => ['true', '1'].includes(query.get(name) ?? '')
  const seconds = number('sinceSeconds')
  const time = query.get('sinceTime')
  const sinceMs =
    time !== null ? Date.parse(time) : seconds === undefined ? undefined : nowMs - seconds * 1000
  const [tailLines, limitBytes] = [number('tailLines'), number('limitBytes')]
  return {
    follow: isSet('follow'),
    previous: isSet('previous'),
    timestamps: isSet('timestamps'),
    ...(sinceMs === undefined ? {} : { sinceMs }),
    ...(tailLines === undefined ? {} : { tailLines }),
    ...(limitBytes === undefined ? {} : { limitBytes }),
  }
}
