// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import * as messages from './messages/apiextensions-v1.ts'
import { defineKind, type ExactKind } from '../define-kind.ts'
import type { StoredMetadata } from '../metadata.ts'
import type { Time } from './meta-v1.ts'

/** Any JSON value. */
export type AnyJson = unknown

export interface ApiextensionsServiceReference {
  name: string
  namespace: string
  path?: string
  port?: number
}

export interface ApiextensionsWebhookClientConfig {
  caBundle?: string
  service?: ApiextensionsServiceReference
  url?: string
}

export interface CustomResourceColumnDefinition {
  description?: string
  format?: string
  jsonPath: string
  name: string
  priority?: number
  type: string
}

export interface CustomResourceConversion {
  strategy: string
  webhook?: WebhookConversion
}

/** Adds a kind to the API. */
export interface CustomResourceDefinition {
  apiVersion: 'apiextensions.k8s.io/v1'
  kind: 'CustomResourceDefinition'
  metadata: StoredMetadata<'Cluster'>
  spec: CustomResourceDefinitionSpec
  status?: CustomResourceDefinitionStatus
}

export const CustomResourceDefinition: ExactKind<CustomResourceDefinition> =
  /* @__PURE__ */ defineKind<CustomResourceDefinition>({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    plural: 'customresourcedefinitions',
    singular: 'customresourcedefinition',
    shortNames: ['crd', 'crds'],
    scope: 'Cluster',
    subresources: ['status'],
    protobuf: messages.CustomResourceDefinition,
  })

export interface CustomResourceDefinitionCondition {
  lastTransitionTime?: Time | null
  message?: string
  observedGeneration?: number
  reason?: string
  status: string
  type: string
}

export interface CustomResourceDefinitionNames {
  kind: string
  categories?: string[]
  listKind?: string
  plural: string
  shortNames?: string[]
  singular?: string
}

export interface CustomResourceDefinitionSpec {
  conversion?: CustomResourceConversion
  group: string
  names: CustomResourceDefinitionNames
  preserveUnknownFields?: boolean
  scope: string
  versions: CustomResourceDefinitionVersion[]
}

export interface CustomResourceDefinitionStatus {
  acceptedNames?: CustomResourceDefinitionNames
  conditions?: CustomResourceDefinitionCondition[] | null
  observedGeneration?: number
  storedVersions?: string[] | null
}

export interface CustomResourceDefinitionVersion {
  additionalPrinterColumns?: CustomResourceColumnDefinition[]
  deprecated?: boolean
  deprecationWarning?: string
  name: string
  schema?: CustomResourceValidation
  selectableFields?: SelectableField[]
  served: boolean
  storage: boolean
  subresources?: CustomResourceSubresources
}

export interface CustomResourceSubresourceScale {
  labelSelectorPath?: string
  specReplicasPath: string
  statusReplicasPath: string
}

/** Has no settings: `{}` turns the status subresource on. */
export type CustomResourceSubresourceStatus = Record<string, never>

export interface CustomResourceSubresources {
  scale?: CustomResourceSubresourceScale
  status?: CustomResourceSubresourceStatus
}

export interface CustomResourceValidation {
  openAPIV3Schema?: JSONSchemaProps
}

export interface ExternalDocumentation {
  description?: string
  url?: string
}

export interface JSONSchemaProps {
  $ref?: string
  $schema?: string
  additionalItems?: JSONSchemaPropsOrBool
  additionalProperties?: JSONSchemaPropsOrBool
  allOf?: JSONSchemaProps[]
  anyOf?: JSONSchemaProps[]
  default?: AnyJson
  definitions?: Record<string, JSONSchemaProps>
  dependencies?: Record<string, JSONSchemaPropsOrStringArray>
  description?: string
  enum?: AnyJson[]
  example?: AnyJson
  exclusiveMaximum?: boolean
  exclusiveMinimum?: boolean
  externalDocs?: ExternalDocumentation
  format?: string
  id?: string
  items?: JSONSchemaPropsOrArray
  maxItems?: number
  maxLength?: number
  maxProperties?: number
  maximum?: number
  minItems?: number
  minLength?: number
  minProperties?: number
  minimum?: number
  multipleOf?: number
  not?: JSONSchemaProps
  nullable?: boolean
  oneOf?: JSONSchemaProps[]
  pattern?: string
  patternProperties?: Record<string, JSONSchemaProps>
  properties?: Record<string, JSONSchemaProps>
  required?: string[]
  title?: string
  type?: string
  uniqueItems?: boolean
  'x-kubernetes-embedded-resource'?: boolean
  'x-kubernetes-int-or-string'?: boolean
  'x-kubernetes-list-map-keys'?: string[]
  'x-kubernetes-list-type'?: string
  'x-kubernetes-map-type'?: string
  'x-kubernetes-preserve-unknown-fields'?: boolean
  'x-kubernetes-validations'?: ValidationRule[]
}

/** One schema for all items; a structural schema allows no list here. */
export type JSONSchemaPropsOrArray = JSONSchemaProps | JSONSchemaProps[]

/** A schema, or whether anything (true) or nothing (false) is allowed. */
export type JSONSchemaPropsOrBool = JSONSchemaProps | boolean

/** A schema, or names of properties; a structural schema allows neither. */
export type JSONSchemaPropsOrStringArray = JSONSchemaProps | string[]

export interface SelectableField {
  jsonPath: string
}

export interface ValidationRule {
  fieldPath?: string
  message?: string
  messageExpression?: string
  optionalOldSelf?: boolean
  reason?:
    'FieldValueDuplicate' | 'FieldValueForbidden' | 'FieldValueInvalid' | 'FieldValueRequired'
  rule: string
}

export interface WebhookConversion {
  clientConfig?: ApiextensionsWebhookClientConfig
  conversionReviewVersions: string[]
}
