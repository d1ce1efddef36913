import type { ServerResponse } from '../../host/index.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../schema/index.ts'
import { mediaType } from '../accepted-form.ts'
import { jsonResponse, refusals } from '../api-refusal.ts'
import { isDryRun, subjectOf } from '../api-request.ts'
import { objectAnswer } from '../objects/answer-form.ts'
import { applyPatch, patchTypes } from '../objects/apply-patch.ts'
import { type ReceivedObject, receivedObject } from '../objects/received-object.ts'
import { type ServedJson, servedObject } from '../objects/served-objects.ts'
import { callFunction, type VerbContext } from './call-function.ts'
import { findObject, formOptions } from './read-verbs.ts'

/** What a client sent. */
interface SentBody {
  readonly contentType: string
  readonly text: () => Promise<string>
}

/** Creates an object that does not exist yet. */
export async function createVerb(context: VerbContext, sent: SentBody): Promise<ServerResponse> {
  const { host, request } = context
  const { definition, functions } = request.resource
  const { create } = functions
  if (create === undefined) throw refusals.noMethod()
  const received = accepted(context, await jsonBody(sent))
  const { metadata } = received.object as ServedJson
  const { name } = metadata
  const existing = await findObject(context, name)
  if (existing !== undefined) throw refusals.alreadyExists({ ...subjectOf(request), name })
  const { resourceVersion: _, ...kept } = metadata
  const creationTimestamp = new Date(host.now()).toISOString().replace(/\.\d+Z$/, 'Z')
  const object = {
    ...received.object,
    metadata: { ...kept, uid: host.uuid(), creationTimestamp, generation: 1 },
  }
  const { namespace, query } = request
  const dryRun = isDryRun(query.getAll('dryRun'))
  const stored = await callFunction(context, 'create', async (call) => {
    const result = await create(object, { ...call, name, namespace, dryRun })
    return servedObject(definition, result ?? object, namespace)
  })
  return written(context, 201, { stored, received })
}

/** Replaces an object. */
export async function updateVerb(context: VerbContext, sent: SentBody): Promise<ServerResponse> {
  const old = await existingObject(context, 'update')
  return replaced(context, old, await jsonBody(sent))
}

/** Changes an object by a patch: the result is an update. */
export async function patchVerb(context: VerbContext, sent: SentBody): Promise<ServerResponse> {
  const { media } = mediaType(sent.contentType)
  if (!patchTypes.some((type) => type === media)) throw refusals.unknownFormat(patchTypes)
  const patch = parsed(await sent.text())
  const old = await existingObject(context, 'update')
  return replaced(context, old, applyPatch(old, media, patch))
}

/** Deletes an object. */
export async function deleteVerb(context: VerbContext, sent: SentBody): Promise<ServerResponse> {
  const { request } = context
  const { namespace, name, query } = request
  const text = await sent.text()
  const options = text === '' ? {} : parsed(text)
  const { dryRun = [], preconditions = {} } = Object(options) as {
    readonly dryRun?: string[]
    readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string }
  }
  const old = await existingObject(context, 'delete')
  for (const field of ['uid', 'resourceVersion'] as const) {
    const expected = preconditions[field]
    const actual = old.metadata[field]
    if (expected === undefined || expected === actual) continue
    const title = field === 'uid' ? 'UID' : 'ResourceVersion'
    const why = `Precondition failed: ${title} in precondition: ${expected}, ${title} in object meta: ${JSON.stringify(actual ?? '')}`
    throw refusals.conflict(subjectOf(request), why)
  }
  const isDry = isDryRun([...query.getAll('dryRun'), ...dryRun])
  await callFunction(context, 'delete', async (call) => {
    const deletion = request.resource.functions.delete
    await deletion?.(old, { ...call, name, namespace, dryRun: isDry })
  })
  const { group, plural: kind } = subjectOf(request)
  const { uid } = old.metadata
  const details = { name, group, kind, ...(uid === undefined ? {} : { uid }) }
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details }
  return jsonResponse(200, status)
}

async function existingObject(context: VerbContext, by: 'update' | 'delete'): Promise<ServedJson> {
  const { request } = context
  if (request.resource.functions[by] === undefined) throw refusals.noMethod()
  const old = await findObject(context, request.name)
  if (old === undefined) throw refusals.notFound(subjectOf(request))
  return old
}

async function replaced(
  context: VerbContext,
  old: ServedJson,
  next: JsonValue,
): Promise<ServerResponse> {
  const { request } = context
  const { namespace, name, query, resource } = request
  const received = accepted(context, next)
  const { metadata } = received.object as ServedJson
  for (const field of ['resourceVersion', 'uid'] as const) {
    const [sent, actual] = [metadata[field] ?? '', old.metadata[field]]
    if (sent === '' || actual === undefined || sent === actual) continue
    throw refusals.conflict(subjectOf(request), modified)
  }
  const { uid, creationTimestamp } = old.metadata
  const kept = {
    ...(uid === undefined ? {} : { uid }),
    ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
  }
  const object = { ...received.object, metadata: { ...metadata, ...kept } }
  const dryRun = isDryRun(query.getAll('dryRun'))
  const stored = await callFunction(context, 'update', async (call) => {
    const { update } = resource.functions
    const result = await update?.(object, { ...call, name, namespace, dryRun, old })
    return servedObject(resource.definition, result ?? object, namespace)
  })
  return written(context, 200, { stored, received })
}

const modified =
  'the object has been modified; please apply your changes to the latest version and try again'

function written(
  context: VerbContext,
  status: number,
  { stored, received }: { readonly stored: ServedJson; readonly received: ReceivedObject },
): ServerResponse {
  const warnings = received.warnings.map((text) => `299 - ${JSON.stringify(text)}`)
  const headers = warnings.length === 0 ? {} : { warning: warnings }
  return jsonResponse(status, objectAnswer(stored, formOptions(context)), headers)
}

/** The characters of generated names, without those that form words. */
const letters = 'bcdfghjklmnpqrstvwxz2456789'
const suffixLength = 5

function accepted({ host, request }: VerbContext, value: JsonValue): ReceivedObject {
  const { resource, namespace, name, query } = request
  return receivedObject(
    {
      definition: resource.definition,
      namespace,
      name,
      fieldValidation: query.get('fieldValidation'),
      suffix: () =>
        Array.from(host.randomBytes(suffixLength), (byte) => letters[byte % letters.length]).join(
          '',
        ),
    },
    value,
  )
}

async function jsonBody({ contentType, text }: SentBody): Promise<JsonObject> {
  const { media } = mediaType(contentType)
  if (media !== '' && media !== 'application/json')
    throw refusals.unknownFormat(['application/json'])
  const value = parsed(await text())
  if (!isJsonObject(value)) throw refusals.badRequest('the body of the request is not an object')
  return value
}

function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw refusals.badRequest('the body of the request is not valid JSON')
  }
}
