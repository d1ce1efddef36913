/** Short functions for the requests of cases. */
import type { JsonObject, JsonValue } from 'setpoint/schema'
import type { ConformanceCase, Request, Step, Watch } from './conformance-case.ts'

type Extra = Partial<Omit<Request, 'method' | 'path'>>

/** The collection of a core resource in the namespace of the case. */
export function core(resource: string): string {
  return `/api/v1/namespaces/{ns}/${resource}`
}

/** The collection of a resource of a named group in the namespace of the case. */
export function grouped(groupVersion: string, resource: string): string {
  return `/apis/${groupVersion}/namespaces/{ns}/${resource}`
}

/** Reads. */
export function get(path: string, extra: Extra = {}): Request {
  return { method: 'GET', path, ...extra }
}

/** Creates. */
export function post(path: string, body: Request['body'], extra: Extra = {}): Request {
  return { method: 'POST', path, ...(body === undefined ? {} : { body }), ...extra }
}

/** Replaces. */
export function put(path: string, body: Request['body'], extra: Extra = {}): Request {
  return { method: 'PUT', path, ...(body === undefined ? {} : { body }), ...extra }
}

/** Deletes, with options if given. */
export function del(path: string, body?: Request['body'], extra: Extra = {}): Request {
  return { method: 'DELETE', path, ...(body === undefined ? {} : { body }), ...extra }
}

function patched(type: string): (path: string, body: JsonValue, extra?: Extra) => Request {
  return (path, body, extra = {}) => ({
    method: 'PATCH',
    path,
    body,
    ...extra,
    headers: { 'content-type': type, ...extra.headers },
  })
}

/** Patches with a merge patch. */
export const merge = patched('application/merge-patch+json')

/** Patches with a list of operations. */
export const operations = patched('application/json-patch+json')

/** Patches with a strategic merge patch. */
export const strategic = patched('application/strategic-merge-patch+json')

/** Applies; the path must name the manager. */
export const apply = patched('application/apply-patch+yaml')

/** The same request, whose answer is not compared. */
export function setup(request: Request): Request {
  return { ...request, isSetup: true }
}

/** A watch with the steps that run meanwhile; without a number of events the server must end it. */
export function watching(
  path: string,
  during: readonly Request[],
  extra: Partial<Pick<Watch, 'events' | 'headers'>> = {},
): Watch {
  return { watch: path, during, ...extra }
}

/** A case with its name. */
export function scenario(
  name: string,
  steps: readonly Step[],
  extra: Partial<Omit<ConformanceCase, 'name' | 'steps'>> = {},
): ConformanceCase {
  return { name, steps, ...extra }
}

/** Headers that impersonate a user. */
export function as(user: string, group?: string): { headers: Record<string, string> } {
  return {
    headers: {
      'impersonate-user': user,
      ...(group === undefined ? {} : { 'impersonate-group': group }),
    },
  }
}

/** A config map. */
export function configMap(name: string, data: JsonObject = { k: 'v' }): JsonObject {
  return { metadata: { name }, data }
}

/** A pod with one container. */
export function pod(name: string, spec: JsonObject = {}): JsonObject {
  return { metadata: { name }, spec: { containers: [{ name: 'main', image: 'nginx' }], ...spec } }
}

/** A deployment with one container. */
export function deployment(name: string, spec: JsonObject = {}): JsonObject {
  return {
    metadata: { name },
    spec: {
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'main', image: 'nginx' }] },
      },
      ...spec,
    },
  }
}
