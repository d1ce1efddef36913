import type { Random } from 'setpoint/host'
import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import { encodeJson } from '../../codec/index.ts'
import {
  type ClientConfig,
  OutboundError,
  type OutboundCalls,
  readReview,
  shownKind,
} from '../../outbound/index.ts'
import { unexpectedError } from '../../status/index.ts'
import { acceptConverted, ConversionError, goKind, readConverted } from './converted-object.ts'

/** The `spec.conversion.webhook` of a definition. */
export interface WebhookConversion {
  readonly clientConfig?: ClientConfig
  readonly conversionReviewVersions?: readonly string[]
}

/** How the server reaches conversion webhooks. */
export interface ConversionCalls {
  readonly calls: Pick<OutboundCalls, 'post'>
  readonly host: Pick<Random, 'uuid'>
}

/** A real server waits this long for a conversion. */
const timeoutSeconds = 30

const reviewGroup = 'apiextensions.k8s.io'

/** The conversion webhook of a definition. */
export class ConversionWebhook {
  readonly #webhook: WebhookConversion
  readonly #context: ConversionCalls

  constructor(webhook: WebhookConversion, context: ConversionCalls) {
    this.#webhook = webhook
    this.#context = context
  }

  /**
   * Converts an object to another version. Like a real server, it sends one object per review. All
   * failures are 500 with the text of a real server.
   */
  async convert(object: JsonObject, desiredApiVersion: string): Promise<JsonObject> {
    const version = this.#reviewVersion()
    if (version === undefined) throw unexpectedError('no supported conversion review versions')
    const uid = this.#context.host.uuid()
    try {
      const text = await this.#call(object, { uid, version, desiredApiVersion })
      const results = convertedObjects(text, { uid, version })
      if (results.length !== 1) {
        const counts = `returned ${results.length} objects, expected 1`
        throw new ConversionError(`conversion webhook for ${goKind(object)} ${counts}`)
      }
      return acceptConverted(object, readConverted(results[0]), desiredApiVersion)
    } catch (error) {
      if (error instanceof ConversionError) throw unexpectedError(error.message)
      if (!(error instanceof OutboundError)) throw error
      throw unexpectedError(`conversion webhook for ${goKind(object)} failed: ${error.message}`)
    }
  }

  #call(
    object: JsonObject,
    review: { readonly uid: string; readonly version: string; readonly desiredApiVersion: string },
  ): Promise<string> {
    const { uid, version, desiredApiVersion } = review
    const body = encodeJson({
      kind: 'ConversionReview',
      apiVersion: `${reviewGroup}/${version}`,
      request: { uid, desiredAPIVersion: desiredApiVersion, objects: [object] },
      response: { uid: '', convertedObjects: null, result: { metadata: {} } },
    })
    const { clientConfig = {} } = this.#webhook
    return this.#context.calls.post(clientConfig, { body, timeoutSeconds })
  }

  #reviewVersion(): string | undefined {
    const { conversionReviewVersions = [] } = this.#webhook
    return conversionReviewVersions.find((version) => version === 'v1' || version === 'v1beta1')
  }
}

/** The objects of a verified response; throws an `OutboundError`. */
function convertedObjects(
  text: string,
  { uid, version }: { readonly uid: string; readonly version: string },
): readonly JsonValue[] {
  const kind = 'ConversionReview'
  const review = readReview(text, { group: reviewGroup, version, kind })
  const { response } = review
  const expected = `${reviewGroup}/v1, Kind=${kind}`
  // The old version of the protocol did not check these.
  if (version === 'v1' && shownKind(review) !== expected) {
    throw new OutboundError(`expected webhook response of ${expected}, got ${shownKind(review)}`)
  }
  if (!isJsonObject(response)) throw new OutboundError('no response provided')
  if (version === 'v1' && response['uid'] !== uid) {
    const given = JSON.stringify(response['uid'] ?? '')
    throw new OutboundError(`expected response.uid=${JSON.stringify(uid)}, got ${given}`)
  }
  const result = isJsonObject(response['result']) ? response['result'] : {}
  const status = textOf(result['status'])
  const message = textOf(result['message'])
  if (status !== 'Success') {
    const why = `response.result.status was '${status}', not 'Success'`
    throw new OutboundError(message === '' ? why : message)
  }
  const objects = response['convertedObjects']
  return Array.isArray(objects) ? objects : []
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}
