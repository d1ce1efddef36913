import * as z from 'zod'
import { isEmbeddedResource } from './kubernetes-checks.ts'

// The grammar of resource.Quantity, as in every Kubernetes CRD.
const quantityPattern =
  /^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$/

// The grammar of Go's time.ParseDuration without a sign: a negative duration makes no sense in a
// spec.
const durationPattern =
  /^(0|([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|ms|s|m|h)(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|ms|s|m|h))*)$/

/** An integer or a string such as a port name or a percentage: `maxUnavailable: 1` or `'25%'`. */
export function intOrString(): z.ZodUnion<[z.ZodInt, z.ZodString]> {
  return z.union([z.int(), z.string()])
}

/** A resource quantity: `500m`, `1Gi`, or a plain integer. */
export function quantity(): z.ZodUnion<[z.ZodInt, z.ZodString]> {
  return z.union([z.int(), z.string().regex(quantityPattern)])
}

/** A duration: `90s`, `1h30m`, `250ms`. */
export function duration(): z.ZodString {
  return z.string().regex(durationPattern)
}

/** An object whose unknown fields the server keeps, for settings that are passed on. */
export function preserveUnknownFields(): z.ZodObject<Record<never, never>, z.core.$loose> {
  return z.looseObject({})
}

/**
 * A whole Kubernetes object inside a spec, such as a template; the server validates its metadata.
 */
export function embeddedResource(): EmbeddedResource {
  return z
    .looseObject({
      apiVersion: z.string(),
      kind: z.string(),
      metadata: z.looseObject({}).optional(),
    })
    .check(isEmbeddedResource())
}

/** The schema that `embeddedResource()` returns. */
export type EmbeddedResource = z.ZodObject<
  {
    apiVersion: z.ZodString
    kind: z.ZodString
    metadata: z.ZodOptional<z.ZodObject<Record<never, never>, z.core.$loose>>
  },
  z.core.$loose
>
