import { selects } from 'setpoint/kinds'
import type { JsonObject } from 'setpoint/schema'
import { metadataOf } from '../../object/index.ts'
import type { CommonPolicySpec, ParamRef } from './bound-policy.ts'

/** The objects of a kind that policies use as parameters. */
interface ParamKindReader {
  readonly isNamespaced: boolean
  get(key: string): Promise<JsonObject | undefined>
  list(prefix: string): AsyncIterable<JsonObject>
}

/** Finds a kind by its apiVersion and kind; `undefined` if the server does not serve it. */
export type FindParamKind = (apiVersion: string, kind: string) => ParamKindReader | undefined

/** A policy or a binding that cannot be evaluated. */
export class PolicyConfigurationError extends Error {
  readonly isOfBinding: boolean

  constructor(message: string, { isOfBinding = true }: { readonly isOfBinding?: boolean } = {}) {
    super(message)
    this.name = 'PolicyConfigurationError'
    this.isOfBinding = isOfBinding
  }
}

/**
 * The parameters with which a binding evaluates its policy, once for each; `null` without
 * parameters. Throws a `PolicyConfigurationError`.
 */
export async function paramsOf(
  { paramKind }: CommonPolicySpec,
  ref: ParamRef | undefined,
  { find, namespace }: { readonly find: FindParamKind; readonly namespace: string },
): Promise<(JsonObject | null)[]> {
  if (paramKind === undefined) return [null]
  const { apiVersion, kind } = paramKind
  const reader = find(apiVersion, kind)
  if (reader === undefined) {
    const why = `failed to find resource referenced by paramKind: '${apiVersion}, Kind=${kind}'`
    throw new PolicyConfigurationError(why, { isOfBinding: false })
  }
  if (ref === undefined) return [null]
  const found: JsonObject[] = []
  for await (const param of selected(reader, ref, namespace)) found.push(param)
  if (found.length > 0 || ref.parameterNotFoundAction !== 'Deny') return found
  throw new PolicyConfigurationError(
    'no params found for policy binding with `Deny` parameterNotFoundAction',
  )
}

async function* selected(
  reader: ParamKindReader,
  ref: ParamRef,
  namespace: string,
): AsyncGenerator<JsonObject> {
  const { name = '', namespace: own = '', selector } = ref
  if (!reader.isNamespaced && own !== '') {
    throw new PolicyConfigurationError(
      'paramRef.namespace must not be provided for a cluster-scoped `paramKind`',
    )
  }
  const place = own === '' ? namespace : own
  if (reader.isNamespaced && place === '') {
    throw new PolicyConfigurationError(
      'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
    )
  }
  const prefix = reader.isNamespaced ? `${place}/` : ''
  if (name !== '') {
    const object = await reader.get(prefix + name)
    if (object !== undefined) yield object
    return
  }
  for await (const object of reader.list(prefix)) {
    if (selector !== undefined && selects(selector, metadataOf(object).labels)) yield object
  }
}
