import * as z from 'zod'
import { isEmbeddedResource } from './vocabulary.ts'

// The grammar of resource.Quantity, as every Kubernetes CRD writes it.
const quantityPattern =
  /^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$/

// What Go's time.ParseDuration accepts, without a sign: a negative wait means nothing in a spec.
const durationPattern =
  /^(0|([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|ms|s|m|h)(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|ms|s|m|h))*)$/

/** A number or a text such as a port name or a percentage: `maxUnavailable: 1` or `'25%'`. */
export function intOrString(): z.ZodUnion<[z.ZodInt, z.ZodString]> {
  return z.union([z.int(), z.string()])
}

/** An amount of a resource as Kubernetes writes it: `500m`, `1Gi`, or a plain whole number. */
export function quantity(): z.ZodUnion<[z.ZodInt, z.ZodString]> {
  return z.union([z.int(), z.string().regex(quantityPattern)])
}

/** A length of time as Kubernetes writes it: `90s`, `1h30m`, `250ms`. */
export function duration(): z.ZodString {
  return z.string().regex(durationPattern)
}

/** An object whose fields the server keeps without knowing them, for settings that are passed on. */
export function preserveUnknownFields(): z.ZodObject<Record<never, never>, z.core.$loose> {
  return z.looseObject({})
}

/** A whole Kubernetes object inside a spec, such as a template; its metadata is checked by the server. */
export function embeddedResource(): EmbeddedResource {
  return z
    .looseObject({
      apiVersion: z.string(),
      kind: z.string(),
      metadata: z.looseObject({}).optional(),
    })
    .check(isEmbeddedResource())
}

/** The schema `embeddedResource()` gives. */
export type EmbeddedResource = z.ZodObject<
  {
    apiVersion: z.ZodString
    kind: z.ZodString
    metadata: z.ZodOptional<z.ZodObject<Record<never, never>, z.core.$loose>>
  },
  z.core.$loose
>
