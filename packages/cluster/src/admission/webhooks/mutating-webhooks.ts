import { jsonEquals, type JsonObject } from 'setpoint/schema'
import { encodeJson, parseJson, TypedDecodeError } from '../../codec/index.ts'
import { applyJsonPatch, patchFailure } from '../../patch/index.ts'
import { ApiError, internalError } from '../../status/index.ts'
import type { AdmissionAttributes } from '../admission.ts'
import type { ClusterReader } from '../cluster-reader.ts'
import type { MutationPass } from '../mutation-pass.ts'
import type { Plugin } from '../plugin.ts'
import { replaceContent } from '../replace-content.ts'
import type { ReviewResponse } from './admission-review.ts'
import { callWebhook, refusalAfter, type WebhookCalls } from './call-webhook.ts'
import { meteredCall } from './metered-call.ts'
import { WebhookCallError } from './webhook-errors.ts'
import { inMatchedVersion, type Invocation, invocationOf } from './invocation.ts'
import { matchesConditions } from './webhook-conditions.ts'
import { isExempt } from './reviewed-write.ts'
import { type RegisteredWebhook, registeredWebhooks } from './webhook.ts'

/**
 * Calls the mutating webhooks that match a write, one after the other, and applies their patches.
 * After a change all mutating plugins run once more. A webhook is then called again if its
 * reinvocation policy allows it and the object has changed since its call.
 */
export function mutatingWebhooks(cluster: ClusterReader, calls: WebhookCalls): Plugin {
  return {
    name: 'MutatingAdmissionWebhook',
    mutate(attributes, pass) {
      const webhooks = registeredWebhooks(cluster, 'mutatingwebhookconfigurations')
      if (webhooks.length === 0 || isExempt(attributes)) return undefined
      return mutate(attributes, { webhooks, cluster, calls, pass })
    },
  }
}

interface Mutation {
  readonly webhooks: readonly RegisteredWebhook[]
  readonly cluster: ClusterReader
  readonly calls: WebhookCalls
  readonly pass: MutationPass
}

async function mutate(attributes: AdmissionAttributes, mutation: Mutation): Promise<void> {
  const { webhooks, cluster, pass } = mutation
  const subject = attributes.subject?.object ?? attributes.object
  pass.webhooks.begin(subject)
  try {
    for (const [index, webhook] of webhooks.entries()) {
      const found = invocationOf(webhook, attributes, cluster)
      if (found === undefined) continue
      const invocation = await inMatchedVersion(found)
      const matched = { attributes, invocation }
      if (!matchesConditions(webhook, matched, mutation.calls.authorizer)) continue
      if (!pass.webhooks.mayCall(webhook.id)) continue
      const place = `round_${pass.isSecond ? 1 : 0}_index_${index}`
      const called = { attributes, invocation, mutation, place }
      const isChanged = await callAndApply(webhook, called)
      if (isChanged) {
        pass.webhooks.askAgain()
        pass.requestSecond()
      }
      if (webhook.reinvocationPolicy === 'IfNeeded') pass.webhooks.recordReinvocable(webhook.id)
    }
  } finally {
    pass.webhooks.recordOutput(subject)
  }
}

/** Whether the webhook has changed the object. */
async function callAndApply(
  webhook: RegisteredWebhook,
  called: {
    readonly attributes: AdmissionAttributes
    readonly invocation: Invocation
    readonly mutation: Mutation
    /** The call in the keys of audit annotations. */
    readonly place: string
  },
): Promise<boolean> {
  const { attributes, invocation, mutation, place } = called
  const { name, configuration } = webhook
  let mutated = false
  try {
    const { calls } = mutation
    const metered = { webhook, attributes, type: 'admit', meter: calls.meter } as const
    mutated = await meteredCall(metered, async () => {
      const request = { attributes, invocation, isMutating: true }
      const response = await callWebhook(webhook, request, calls)
      return applyResponse(webhook, { response, attributes, invocation, place })
    })
    return mutated
  } catch (error) {
    const refusal = refusalAfter(error, webhook)
    if (refusal !== undefined) throw refusal
    attributes.annotate?.(`failed-open.${mutationPrefix}/${place}`, name)
    return false
  } finally {
    const value = encodeJson({ configuration, webhook: name, mutated })
    attributes.annotate?.(`${mutationPrefix}/${place}`, value)
  }
}

const mutationPrefix = 'mutation.webhook.admission.k8s.io'

async function applyResponse(
  { name, configuration }: RegisteredWebhook,
  applied: {
    readonly response: ReviewResponse
    readonly attributes: AdmissionAttributes
    readonly invocation: Invocation
    readonly place: string
  },
): Promise<boolean> {
  const { response, attributes, invocation, place } = applied
  if (response.patch === '') return false
  const operations = readPatch(name, response.patch)
  if (operations.length === 0) return false
  const { object } = invocation.write
  if (object === undefined) {
    const why = `admission webhook "${name}" attempted to modify the object, which is not supported for this operation`
    throw internalError(why)
  }
  if (response.patchType !== 'JSONPatch') {
    throw new WebhookCallError(name, `unsupported patch type "${response.patchType}"`)
  }
  const decoded = await decodePatched(operations, { object, attributes, invocation })
  const patch = { configuration, webhook: name, patch: operations, patchType: 'JSONPatch' }
  attributes.annotate?.(`patch.webhook.admission.k8s.io/${place}`, encodeJson(patch), 'Request')
  const isChanged = !jsonEquals(decoded, object)
  replaceContent(attributes.subject?.object ?? attributes.object, decoded)
  return isChanged
}

/** A patch that does not apply, or whose result cannot be decoded, is an error of the server. */
async function decodePatched(
  operations: readonly JsonObject[],
  patched: {
    readonly object: JsonObject
    readonly attributes: AdmissionAttributes
    readonly invocation: Invocation
  },
): Promise<JsonObject> {
  const { object, attributes, invocation } = patched
  let value: JsonObject
  try {
    value = applyJsonPatch(object, [...operations])
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw internalError(patchFailure(object, [...operations]))
  }
  try {
    return await attributes.decode(value, invocation.converted)
  } catch (error) {
    if (!(error instanceof TypedDecodeError)) throw error
    throw internalError(error.message)
  }
}

function readPatch(webhook: string, text: string): JsonObject[] {
  try {
    const value = parseJson(text).value
    if (Array.isArray(value)) return value as JsonObject[]
    throw new TypeError('json: cannot unmarshal object into Go value of type jsonpatch.Patch')
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new WebhookCallError(webhook, `received undecodable patch in webhook response: ${why}`)
  }
}
