import type { AnyResourceDefinition } from '../definition/index.ts'
import { headline } from '../errors/index.ts'
import { kindName } from '../kinds/kind-name.ts'
import type { Logger } from '../log/index.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../schema/index.ts'
import { clientConfig, type WebhookAddress, type WebhookClientConfig } from './webhook-address.ts'

/** The request of a ConversionReview. */
interface ConversionRequest {
  readonly uid: string
  readonly desiredAPIVersion: string
  readonly objects: readonly JsonObject[]
}

/** The path at which a definition is converted. */
export function conversionPath(definition: AnyResourceDefinition): string {
  return `/convert/${kindName(definition)}`
}

/**
 * The address at which a process converts a definition, for `definition.crd({ conversionWebhook })`.
 * `caBundle` is PEM text; a running process adds it.
 */
export function conversionWebhook(
  definition: AnyResourceDefinition,
  address: WebhookAddress,
  caBundle?: string,
): WebhookClientConfig {
  return clientConfig(address, conversionPath(definition), caBundle)
}

/** The request of a review, or what is wrong with it. */
export function readConversionReview(text: string): ConversionRequest | string {
  let review: JsonValue
  try {
    review = JSON.parse(text) as JsonValue
  } catch {
    return 'the body is not JSON'
  }
  if (!isJsonObject(review) || review['kind'] !== 'ConversionReview') {
    return 'the body is not a ConversionReview'
  }
  if (review['apiVersion'] !== 'apiextensions.k8s.io/v1') {
    return 'the ConversionReview is not of the version apiextensions.k8s.io/v1'
  }
  const request = review['request']
  const { uid, desiredAPIVersion, objects } = isJsonObject(request) ? request : {}
  const isComplete =
    typeof uid === 'string' &&
    typeof desiredAPIVersion === 'string' &&
    Array.isArray(objects) &&
    objects.every(isJsonObject)
  if (!isComplete) return 'the request of the ConversionReview is incomplete'
  return { uid, desiredAPIVersion, objects }
}

/** How many characters of converted objects are sent together. */
const chunkCharacters = 64 * 1024

const utf8 = new TextEncoder()

/**
 * The review that answers a request, in chunks: thousands of objects are converted while the server
 * reads, so that the memory for them is bounded, and other requests get their turn. An object that
 * cannot be converted fails the review, with its name.
 */
export async function* convertedReview(
  definition: AnyResourceDefinition,
  { uid, desiredAPIVersion, objects }: ConversionRequest,
  log: Logger,
): AsyncGenerator<Uint8Array, void, undefined> {
  const version = desiredAPIVersion.slice(desiredAPIVersion.indexOf('/') + 1)
  const head = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview' }
  const start = JSON.stringify({ ...head, response: { uid } }).slice(0, -2)
  let text = `${start},"convertedObjects":[`
  let result: object = { status: 'Success' }
  for (const [index, object] of objects.entries()) {
    let converted: string
    try {
      converted = JSON.stringify(definition.convert(object, version))
    } catch (error) {
      log.error({ err: error, ...identityOf(object) }, 'an object could not be converted')
      result = { status: 'Failure', message: failureText(definition, object, error) }
      break
    }
    text += index === 0 ? converted : `,${converted}`
    if (text.length < chunkCharacters) continue
    yield utf8.encode(text)
    text = ''
  }
  yield utf8.encode(`${text}],"result":${JSON.stringify(result)}}}`)
}

function identityOf(object: JsonObject): { readonly name: string; readonly namespace: string } {
  const metadata = object['metadata']
  const { name, namespace } = isJsonObject(metadata) ? metadata : {}
  return {
    name: typeof name === 'string' ? name : '',
    namespace: typeof namespace === 'string' ? namespace : '',
  }
}

/** The error of a conversion names the object; other errors do not. */
function failureText({ kind }: AnyResourceDefinition, object: JsonObject, error: unknown): string {
  const { name, namespace } = identityOf(object)
  const place = namespace === '' ? name : `${namespace}/${name}`
  return `${kind} ${place}: ${headline(error)}`
}
