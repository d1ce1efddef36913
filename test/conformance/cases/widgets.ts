/** The definition of widgets, with its own group for each case, and requests for it. */
import type { JsonObject } from 'setpoint/schema'
import type { ConformanceCase, Request, Step } from '../conformance-case.ts'
import { get, post, scenario, setup } from '../requests.ts'

/** The path of definitions. */
export const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
/** The definition of the case. */
export const definition = `${definitions}/widgets.{ns}.example.com`
/** The path of its objects. */
export const widgets = '/apis/{ns}.example.com/v1/namespaces/{ns}/widgets'

/** A version of it, served and stored unless `extra` overrides it. */
export function version(schema: JsonObject, extra: JsonObject = {}): JsonObject {
  return { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...extra }
}

/** The definition itself. */
export function crd(versions: readonly JsonObject[], spec: JsonObject = {}): JsonObject {
  return {
    metadata: { name: 'widgets.{ns}.example.com' },
    spec: {
      group: '{ns}.example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [...versions],
      ...spec,
    },
  }
}

/** A schema with these properties of the spec. */
export const specSchema = (properties: JsonObject, extra: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties: { spec: { type: 'object', properties, ...extra } },
})
/** A schema that accepts everything. */
export const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

/** Creates the definition and waits until it is served, which takes a moment on a real server. */
function ready(body: JsonObject): Request[] {
  return [setup(post(definitions, body)), setup(get(widgets, { until: { code: 200 } }))]
}

/** A case that begins with the definition. */
export function withWidgets(
  name: string,
  body: JsonObject,
  steps: readonly Step[],
): ConformanceCase {
  return scenario(name, [...ready(body), ...steps], { cleanup: [definition] })
}

/** A widget. */
export function widget(content: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return {
    apiVersion: '{ns}.example.com/v1',
    kind: 'Widget',
    metadata: { name: 'w', ...metadata },
    ...content,
  }
}
