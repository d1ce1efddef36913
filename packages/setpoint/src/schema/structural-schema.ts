/** Any JSON value. Integers that a `number` would round may be `bigint`. */
export type JsonValue =
  null | boolean | number | bigint | string | JsonValue[] | { [key: string]: JsonValue }

/** A CEL rule of `x-kubernetes-validations`, exactly as in a CRD. */
export interface ValidationRule {
  readonly rule: string
  readonly message?: string
  readonly messageExpression?: string
  readonly reason?:
    'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate'
  readonly fieldPath?: string
  readonly optionalOldSelf?: boolean
}

/**
 * The JSON Schema dialect of `apiextensions.k8s.io/v1`: the keywords that a CRD may use, and no
 * others. A literal of this type can still violate structural rules, which `checkStructuralSchema`
 * checks.
 */
export interface StructuralSchema {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean'
  readonly title?: string
  readonly description?: string
  readonly format?: string
  readonly default?: JsonValue
  readonly example?: JsonValue
  readonly nullable?: boolean
  readonly enum?: readonly JsonValue[]
  readonly properties?: Readonly<Record<string, StructuralSchema>>
  readonly additionalProperties?: StructuralSchema | boolean
  readonly required?: readonly string[]
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly items?: StructuralSchema
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: boolean
  readonly exclusiveMaximum?: boolean
  readonly multipleOf?: number
  readonly allOf?: readonly StructuralSchema[]
  readonly anyOf?: readonly StructuralSchema[]
  readonly oneOf?: readonly StructuralSchema[]
  readonly not?: StructuralSchema
  readonly externalDocs?: { readonly url?: string; readonly description?: string }
  readonly 'x-kubernetes-preserve-unknown-fields'?: true
  readonly 'x-kubernetes-embedded-resource'?: true
  readonly 'x-kubernetes-int-or-string'?: true
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map'
  readonly 'x-kubernetes-list-map-keys'?: readonly string[]
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular'
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[]
}
