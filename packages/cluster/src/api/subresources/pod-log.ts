import type { ServerResponse } from 'setpoint/host'
import { fieldError, type FieldError } from 'setpoint/schema'
import { keyOf } from '../../object/index.ts'
import { badRequest, invalidObject, notFound } from '../../status/index.ts'
import type { ApiRequest } from '../api-request.ts'
import type { RequestInfo } from '../http/request-info.ts'
import { textResponse } from '../http/respond.ts'
import { integerOf } from '../options/query-values.ts'
import { readObject } from '../object-text.ts'
import type { Outcome } from '../outcome.ts'
import type { ServedResource } from '../resources/served-resource.ts'
import { containerNamed, type PodContainers } from './pod-container.ts'
import type { PodLogRequest, PodRuntime } from './pod-runtime.ts'

/** The answer for a pod that was never scheduled. */
export const noLog: ServerResponse = { status: 204, headers: {} }

/** 422 for numbers that are too small. */
export function checkLogOptions({ query, name }: Pick<RequestInfo, 'query' | 'name'>): void {
  const errors: FieldError[] = []
  const tail = integerOf(query, 'tailLines')
  if (tail !== undefined && tail < 0) {
    errors.push(fieldError.invalid('tailLines', tail, 'must be greater than or equal to 0'))
  }
  for (const field of ['limitBytes', 'sinceSeconds']) {
    const value = integerOf(query, field)
    if (value === undefined || value >= 1) continue
    errors.push(fieldError.invalid(field, value, 'must be greater than 0'))
  }
  if (errors.length > 0) throw invalidObject({ group: '', kind: 'PodLogOptions' }, name, errors)
}

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
  if ((pod.spec.nodeName ?? '') === '') return { response: noLog }
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
