import type { JsonObject } from 'setpoint/schema'
import type { ServedResource } from '../resources/served-resource.ts'
import { metaDefinition, referenceTo } from './definition-names.ts'

/** The parts of an operation that do not depend on its resource. */
interface OperationForm {
  readonly action: string
  readonly queries: JsonObject[]
  readonly codes: readonly number[]
}

/** Query parameters sorted by name; `pretty` belongs to the paths. */
function queries(types: Readonly<Record<string, string>>): JsonObject[] {
  const names = Object.keys(types).sort()
  return names.map((name) => parameter(name, 'query', types[name]))
}

/** A parameter of an operation or a path. */
export function parameter(name: string, place: 'path' | 'query', type = 'string'): JsonObject {
  return {
    name,
    in: place,
    ...(place === 'path' ? { required: true } : {}),
    schema: { type, uniqueItems: true },
  }
}

const listOptions = {
  allowWatchBookmarks: 'boolean',
  continue: 'string',
  fieldSelector: 'string',
  labelSelector: 'string',
  limit: 'integer',
  resourceVersion: 'string',
  resourceVersionMatch: 'string',
  sendInitialEvents: 'boolean',
  shardSelector: 'string',
  timeoutSeconds: 'integer',
  watch: 'boolean',
}
const listQueries = queries(listOptions)

/** The list options where they belong to the path, sorted by name. */
export const prettyListQueries = queries({ ...listOptions, pretty: 'string' })

const writeOptions = { dryRun: 'string', fieldManager: 'string', fieldValidation: 'string' }

/** kubectl reads from the options of `patch` whether the server validates fields. */
const forms = {
  read: { action: 'get', queries: queries({ resourceVersion: 'string' }), codes: [200] },
  list: { action: 'list', queries: listQueries, codes: [200] },
  create: { action: 'post', queries: queries(writeOptions), codes: [200, 201, 202] },
  replace: { action: 'put', queries: queries(writeOptions), codes: [200, 201] },
  patch: {
    action: 'patch',
    queries: queries({ ...writeOptions, force: 'boolean' }),
    codes: [200],
  },
  delete: {
    action: 'delete',
    queries: queries({
      dryRun: 'string',
      gracePeriodSeconds: 'integer',
      ignoreStoreReadErrorWithClusterBreakingPotential: 'boolean',
      orphanDependents: 'boolean',
      propagationPolicy: 'string',
    }),
    codes: [200, 202],
  },
  deleteCollection: { action: 'deletecollection', queries: listQueries, codes: [200] },
} satisfies Record<string, OperationForm>

const reasons: Readonly<Record<number, string>> = { 200: 'OK', 201: 'Created', 202: 'Accepted' }
const bodyTypes = ['application/json', 'application/yaml']
const patchTypes = [
  'application/apply-patch+yaml',
  'application/json-patch+json',
  'application/merge-patch+json',
]

/** The resource and the path of an operation. */
export interface OperationTarget {
  readonly resource: ServedResource
  /** The end of the operation's name: `NamespacedWidget`, `NamespacedWidgetStatus`. */
  readonly suffix: string
  /** The definition of the answer, and of the body of create and replace. */
  readonly definition: string
  /** For paths that have the query parameters themselves. */
  readonly withoutQueries?: boolean
}

/** One operation of a path. */
export function operation(verb: keyof typeof forms, target: OperationTarget): JsonObject {
  const { resource, suffix, definition } = target
  const { group, version, kind } = resource
  const form: OperationForm = forms[verb]
  const answered = verb.startsWith('delete') ? metaDefinition('Status') : definition
  const body = requestBody(verb, definition)
  const [, word = '', rest = ''] = /^([a-z]+)(.*)$/.exec(verb) ?? []
  return {
    tags: [`${camelCase(group)}_${version}`],
    operationId: `${word}${capitalized(camelCase(group))}${capitalized(version)}${rest}${suffix}`,
    ...(target.withoutQueries === true ? {} : { parameters: form.queries }),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: {
      ...Object.fromEntries(form.codes.map((code) => [code, answer(code, answered)])),
      401: { description: 'Unauthorized' },
    },
    'x-kubernetes-action': form.action,
    'x-kubernetes-group-version-kind': { group, version, kind },
  }
}

function answer(code: number, definition: string): JsonObject {
  return { description: reasons[code] ?? '', content: contentOf(bodyTypes, definition) }
}

function requestBody(verb: string, definition: string): JsonObject | undefined {
  switch (verb) {
    case 'create':
    case 'replace':
      return { content: contentOf(bodyTypes, definition), required: true }
    case 'patch':
      return { content: contentOf(patchTypes, metaDefinition('Patch')), required: true }
    case 'delete':
      return { content: contentOf(bodyTypes, metaDefinition('DeleteOptions')) }
    default:
      return undefined
  }
}

function contentOf(types: readonly string[], definition: string): JsonObject {
  return Object.fromEntries(types.map((type) => [type, { schema: referenceTo(definition) }]))
}

function camelCase(group: string): string {
  return group
    .split(/[^A-Za-z0-9]+/)
    .map((word, index) => (index === 0 ? word : capitalized(word)))
    .join('')
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
