import type { ServerResponse } from '../../host/index.ts'
import type { JsonObject } from '../../schema/index.ts'
import { jsonResponse, refusals } from '../api-refusal.ts'
import { subjectOf } from '../api-request.ts'
import { listAnswer, objectAnswer } from '../objects/answer-form.ts'
import { listChunk } from '../objects/list-chunk.ts'
import { type ObjectSelection, objectSelection } from '../objects/object-selection.ts'
import {
  type ServedItems,
  type ServedJson,
  servedItems,
  servedObject,
} from '../objects/served-objects.ts'
import { callFunction, type VerbContext } from './call-function.ts'

/** What `answer-form.ts` needs to know of a request. */
export function formOptions({ request, form, host }: VerbContext) {
  const { definition } = request.resource
  return { definition, form, query: request.query, nowMs: host.now() }
}

/** Asks the author's `get` for the object of the request. */
export async function findObject(
  context: VerbContext,
  name: string,
): Promise<ServedJson | undefined> {
  const { resource, namespace } = context.request
  const { definition, functions } = resource
  return callFunction(context, 'get', async (call) => {
    const result = await functions.get({ ...call, name, namespace })
    return result === undefined || result === null
      ? undefined
      : servedObject(definition, result, namespace)
  })
}

/** Asks the author's `list` for objects of the request. */
export async function findObjects(
  context: VerbContext,
  { labelSelector, name }: ObjectSelection,
): Promise<ServedItems> {
  const { resource, namespace } = context.request
  const { definition, functions } = resource
  return callFunction(context, 'list', async (call) => {
    const result = await functions.list({ ...call, namespace, name, labelSelector })
    return servedItems(definition, result, namespace)
  })
}

/** Answers a request for one object. */
export async function getVerb(context: VerbContext): Promise<ServerResponse> {
  const object = await findObject(context, context.request.name)
  if (object === undefined) throw refusals.notFound(subjectOf(context.request))
  return jsonResponse(200, objectAnswer(object, formOptions(context)))
}

/** Answers a request for a page of objects. */
export async function listVerb(context: VerbContext): Promise<ServerResponse> {
  const { host, request } = context
  const { query } = request
  const selection = objectSelection(query, request)
  const found = await findObjects(context, selection)
  const selected = found.items.filter((one) => selection.isInScope(one) && selection.hasLabels(one))
  const { items, ...page } = listChunk(selected, {
    limit: query.get('limit'),
    token: query.get('continue'),
  })
  const metadata: JsonObject = {
    resourceVersion: found.resourceVersion ?? String(host.now()),
    ...page,
  }
  return jsonResponse(200, listAnswer(items, { ...formOptions(context), metadata }))
}
