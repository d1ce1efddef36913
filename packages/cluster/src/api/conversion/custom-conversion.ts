import type { JsonObject } from 'setpoint/schema'
import { decodeObjectMeta } from '../../codec/index.ts'
import { withinBudget } from '../../limits/index.ts'
import { metadataOf } from '../../object/index.ts'
import type { ConversionWebhook } from './conversion-webhook.ts'
import type { CustomVersions } from './custom-versions.ts'

/** Converts the objects of a definition by its webhook, with the schemas of both versions. */
export class CustomConversion {
  readonly #webhook: ConversionWebhook
  readonly #versions: CustomVersions

  constructor(webhook: ConversionWebhook, versions: CustomVersions) {
    this.#webhook = webhook
    this.#versions = versions
  }

  /** A stored object, in the version that it was stored in, as an object of another version. */
  async fromStored(stored: JsonObject, apiVersion: string): Promise<JsonObject> {
    const { resourceVersion, ...metadata } = metadataOf(stored)
    // Only the server knows the revision; webhooks do not see it.
    const bare = { ...stored, metadata: metadata as unknown as JsonObject }
    const decoded = withinBudget(() => this.#versions.decodeStored(bare))
    const converted = await this.toVersion(decoded, apiVersion)
    metadataOf(converted).resourceVersion = resourceVersion ?? ''
    return converted
  }

  /** An object in the version in which it will be stored. */
  async toStored(object: JsonObject): Promise<JsonObject> {
    const { resourceVersion: _revision, ...metadata } = metadataOf(object)
    const bare = { ...object, metadata: metadata as unknown as JsonObject }
    const converted = await this.toVersion(bare, this.#versions.storageApiVersion)
    return withinBudget(() => this.#versions.decodeStored(converted))
  }

  /** An object in another version as the webhook returns it. */
  async convert(object: JsonObject, apiVersion: string): Promise<JsonObject> {
    if (object['apiVersion'] === apiVersion) return object
    return this.#webhook.convert(object, apiVersion)
  }

  /** An object in another version, without the fields that this version does not have. */
  async toVersion(object: JsonObject, apiVersion: string): Promise<JsonObject> {
    const converted = await this.convert(object, apiVersion)
    const pruned = withinBudget(() => this.#versions.prune(converted))
    // Without empty labels and annotations.
    return { ...pruned, metadata: decodeObjectMeta(metadataOf(pruned) as JsonObject).metadata }
  }
}
